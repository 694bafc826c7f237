import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { type IAccessLogSettings, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/** Which route, how long, and who: not the path, which names an account or a slot, and no header, which may be a fence. */
const format = {
  requestId: '$context.requestId',
  at: '$context.requestTimeEpoch',
  route: '$context.routeKey',
  status: '$context.status',
  latencyMs: '$context.responseLatency',
  subject: '$context.authorizer.claims.sub',
  refused: '$context.authorizer.error',
  integrationStatus: '$context.integrationStatus',
  integrationError: '$context.integrationErrorMessage',
};

/** A line of JSON for every request, kept for three months. */
export function accessLog(scope: Construct, id: string): IAccessLogSettings {
  const logGroup = new LogGroup(scope, id, { retention: RetentionDays.THREE_MONTHS });
  return {
    destination: new LogGroupLogDestination(logGroup),
    format: AccessLogFormat.custom(JSON.stringify(format)),
  };
}
