// What keeps everybody out who would write around the fence, and what tells when somebody was.
import { App, Duration, type StackProps, Validations } from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { FencingBoundary, FencingChecks, FencingMonitoring } from 'dynamodb-fenced/cdk';
import { refusalMetrics } from 'dynamodb-fenced/observe';
import { BankStack } from './cdk-tables.ts';

export class GuardedBankStack extends BankStack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);

    // #region grants
    const teller = new Role(this, 'Teller', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.leases.grantLease(teller);
    this.accounts.grantFencedWrite(teller);
    this.accounts.grantRead(teller);
    // #endregion grants

    // #region boundary
    new FencingBoundary(this, 'Boundary').applyTo(this);
    // #endregion boundary

    // #region monitoring
    const onCall = new Topic(this, 'OnCall', { enforceSSL: true });
    const monitoring = new FencingMonitoring(this, 'Fencing', {
      tables: [this.leases, this.accounts],
      alarmActions: [new SnsAction(onCall)],
      waitMs: 2_000,
    });
    // An alarm of your own: customers meet somebody else's lease all the time.
    monitoring
      .metric(refusalMetrics.held, { period: Duration.minutes(5) })
      .createAlarm(this, 'Crowded', { threshold: 1_000, evaluationPeriods: 3 });
    // #endregion monitoring
  }
}

export function guardedApp(app = new App()): App {
  // #region checks
  new GuardedBankStack(app, 'Bank');
  Validations.of(app).addPlugins(new FencingChecks());
  // #endregion checks
  return app;
}
