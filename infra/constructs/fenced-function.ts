import { Duration, Stack } from 'aws-cdk-lib';
import { Policy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, type NodejsFunctionProps } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, LogGroupGrants, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { bundlingDefaults } from './bundling.ts';
import type { FencedTable } from './fenced-table.ts';
import { functionEnvironment } from './function-environment.ts';
import type { LeaseTable } from './lease-table.ts';

/** What a function may be given, beside all that a `NodejsFunction` takes. */
export interface FencedFunctionProps extends NodejsFunctionProps {
  /** The file of the handler, in TypeScript or JavaScript. */
  readonly entry: string;
  /**
   * Where the function acquires its leases: granted, and in the variable `LEASES_TABLE`.
   * @default - none
   */
  readonly leases?: LeaseTable;
  /**
   * The tables that the function writes to, and reads single items of, by what it calls them: `accounts` is granted, and in the
   * variable `ACCOUNTS_TABLE`, which `tableNamesFrom` of `dynamodb-fenced/lambda` reads.
   * @default - none
   */
  readonly writes?: Readonly<Record<string, FencedTable>>;
  /**
   * The tables that the function queries and scans, with their indexes, in the same way. A table may be in both.
   * @default - none
   */
  readonly reads?: Readonly<Record<string, FencedTable>>;
  /**
   * The namespace of the metrics that the handler writes, in the variable `FENCING_METRICS_NAMESPACE`.
   * @default - that of the library
   */
  readonly metricsNamespace?: string;
  /**
   * For how long its logs are kept, where `logGroup` is not given.
   * @default RetentionDays.ONE_MONTH
   */
  readonly logGroupRetention?: RetentionDays;
}

/**
 * A Lambda function that writes under fences: bundled with the SDK, told the names of its tables, and allowed no more than fenced
 * writes to them. It has a role of its own with nothing in it but those grants and its log group, and no policy that AWS manages.
 *
 * Defaults beside those of its props: Node.js 24 on arm64, 1,024 MB, 29 s (an HTTP API gives up after 30), an ESM bundle for Node 20
 * and later (minified, with a source map), and logs as JSON. What a handler writes to `process.stdout` stays as it is written, so that
 * CloudWatch makes metrics of the lines of `emfTo()`; what it writes to the console does not.
 *
 * Needs `esbuild` in the project. It costs what Lambda and CloudWatch Logs cost for each invocation, and nothing while there is none.
 * Nothing of it was run against AWS.
 *
 * @throws UnsafeTableError where the role takes no denials, or is of another account; Error where an environment variable would have two
 *   values, and for a table or an `entry` that is none.
 * @example
 * const fn = new FencedFunction(this, 'Ledger', {
 *   entry: 'src/ledger/lambda.ts',
 *   leases,
 *   writes: { accounts },
 *   reads: { accounts },
 * });
 */
export class FencedFunction extends NodejsFunction {
  /**
   * @param scope where it belongs.
   * @param id its name there. Its role and its log group stand beside it, as `<id>Role` and `<id>Logs`.
   * @param props `entry`, the tables, and all that a `NodejsFunction` takes.
   */
  constructor(scope: Construct, id: string, props: FencedFunctionProps) {
    const { leases, writes = {}, reads = {}, metricsNamespace, logGroupRetention, ...rest } = props;
    const path = `${scope.node.path}/${id}`;
    if (typeof props.entry !== 'string')
      throw new Error(`${path}: entry is missing. Pass the file of the handler, as src/lambda.ts.`);
    const environment = functionEnvironment(path, props, props.environment);
    const logGroup =
      props.logGroup ??
      new LogGroup(scope, `${id}Logs`, { retention: logGroupRetention ?? RetentionDays.ONE_MONTH });
    const role =
      props.role ?? new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    super(scope, id, {
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 1_024,
      timeout: Duration.seconds(29),
      loggingFormat: LoggingFormat.JSON,
      // A variable for a version of the SDK that nobody bundles any more.
      awsSdkConnectionReuse: false,
      ...rest,
      logGroup,
      role,
      environment,
      bundling: { ...bundlingDefaults, ...props.bundling },
    });
    // A role of another stack cannot name the log group of this one, which depends on it: a policy of this stack does.
    const isOfThisStack = Stack.of(role) === Stack.of(this);
    const writer = isOfThisStack ? this : new Policy(scope, `${id}LogsPolicy`, { roles: [role] });
    LogGroupGrants.fromLogGroup(logGroup).write(writer);
    leases?.grantLease(this);
    for (const table of new Set(Object.values(writes))) table.grantFencedWrite(this);
    for (const table of new Set(Object.values(reads))) table.grantRead(this);
  }
}
