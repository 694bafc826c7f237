import type {
  IPolicyValidationContext,
  IPolicyValidationPlugin,
  PolicyValidationPluginReport,
  PolicyViolation,
} from 'aws-cdk-lib';
import { checkOptions, flag } from '../../src/fence/options.ts';
import { guardedTables } from './checks/guarded-tables.ts';
import { principalsOf } from './checks/principals.ts';
import type { SynthesisedResource } from './checks/synthesised-app.ts';
import { synthesisedStacks } from './checks/synthesised-app.ts';
import { flawsOf, type TableRule } from './checks/table-rules.ts';
import { textsOf } from './checks/texts.ts';
import { type Accounts, type Loophole, loopholes, type WriteRule } from './checks/write-rules.ts';

/** A rule of {@link FencingChecks}. It is acknowledged as `dynamodb-fenced::` and this name. */
export type FencingRule = WriteRule | TableRule;

const pluginName = 'dynamodb-fenced';

/** What each rule finds, as the end of a sentence about it, and what to do. */
const rules: Readonly<Record<FencingRule, { readonly because: string; readonly fix: string }>> = {
  UnfenceableWrite: {
    because: 'which takes no condition that a fence could be in, or forgets the fence',
    fix: 'Grant writes by grantFencedWrite(), which denies this, or narrow what is allowed here.',
  },
  UnconditionalWrite: {
    because: 'also without naming the fence',
    fix: 'Grant writes by grantFencedWrite(), which denies this, or narrow what is allowed here.',
  },
  TokenReset: {
    because: 'which sets back the token that its rows count up from',
    fix: 'Grant leases by grantLease(), which denies this, or narrow what is allowed here.',
  },
  ExpiryChange: {
    because: 'after which items expire and take their fences along',
    fix: 'Take dynamodb:UpdateTimeToLive away, or deny it.',
  },
  GuardChange: {
    because: 'which can take away what keeps its fences',
    fix: 'Leave changes of the table to CloudFormation, or deny them as the grants and FencingBoundary do.',
  },
  TimeToLive: {
    because: 'has a time to live: what expires takes its fence along',
    fix: 'Leave it out, and delete through the repository, which keeps the fence.',
  },
  EventualReplica: {
    because: 'has replicas that agree eventually: each Region evaluates conditions on its own copy',
    fix: 'Give the table multiRegionConsistency: STRONG, or keep it in one Region.',
  },
  StrongWithLocalIndex: {
    because: 'has a local index, which strong consistency between Regions does not support',
    fix: 'Make it a global secondary index.',
  },
  IndexWithoutFence: {
    because: 'has an index without the hidden attributes, whose queries would show deleted items',
    fix: 'Declare the index with the table, which then projects them.',
  },
};

/** What {@link FencingChecks} may be told. */
export interface FencingChecksOptions {
  /**
   * Whether attribute-based access control of DynamoDB is on in every account and Region that is deployed to. Where it is off, a condition on the tags of
   * a table is evaluated as if it had none, and what `FencingBoundary` denies is not denied. So without this, such denials do not count. Default false.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/abac-enable-ddb.html
   */
  readonly abac?: boolean;
}

/**
 * Fails `cdk synth`, with the place in the source, when somebody in the app may write around the fence, or a table forgets fences. It reads the
 * templates as they are written, after every override: all roles, users and groups with all their policies, inline, managed
 * and of other stacks, their boundaries, and the resource policies of tables; and of them what an explicit denial takes away.
 *
 * Tables are those of `FencedTable` and `LeaseTable`, and any other with the tag `dynamodb-fenced:role`. A rule is acknowledged where it is meant, with
 * a reason, by `Validations.of(construct).acknowledge({ id: 'dynamodb-fenced::UnfenceableWrite', reason: '…' })`.
 *
 * What depends on something that is known only at deployment counts as allowed. It cannot see policies that are not in the app, nor
 * whether a condition of a write is right. It sends nothing, and takes milliseconds.
 *
 * @param options `abac`, whether conditions on tags are evaluated; default false.
 * @throws InvalidInputError where an option is none, or of another type.
 * @example
 * Validations.of(app).addPlugins(new FencingChecks());
 */
export class FencingChecks implements IPolicyValidationPlugin {
  readonly name = pluginName;
  readonly ruleIds: string[] = Object.keys(rules);

  readonly #accounts: Accounts;

  constructor(options?: FencingChecksOptions) {
    const { abac = false } = checkOptions(options, { abac: flag });
    this.#accounts = { abac };
  }

  /** Called by the CDK when the templates are written. */
  validate({ appConstruct }: Pick<IPolicyValidationContext, 'appConstruct'>): PolicyValidationPluginReport {
    const stacks = synthesisedStacks(appConstruct);
    const texts = textsOf(stacks);
    const tables = guardedTables(stacks, texts);
    const flaws = tables.flatMap(flawsOf).map(({ rule, table, source, location }) => {
      return violation(rule, `${pathOf(table.resource)} ${rules[rule].because}`, source, location);
    });
    const principals = tables.length === 0 ? [] : principalsOf(stacks, texts);
    const writes = grouped(loopholes(tables, principals, this.#accounts));
    const violations = [...flaws, ...writes];
    return { success: violations.length === 0, violations };
  }
}

/** One violation for a rule, who breaks it, and the policy that lets them. */
function grouped(found: readonly Loophole[]): PolicyViolation[] {
  const groups = new Map<string, [Loophole, ...Loophole[]]>();
  for (const it of found) {
    const key = JSON.stringify([it.rule, it.who, it.source.construct.node.path, it.location]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [it]);
    else group.push(it);
  }
  return [...groups.values()].map((group) => {
    const [{ rule, who, source, location }] = group;
    const actions = listed(group.map(({ action }) => action));
    const tables = listed(group.map(({ table }) => pathOf(table.resource)));
    const may = group.some(({ certain }) => certain)
      ? 'may'
      : 'may, depending on what is known at deployment,';
    return violation(rule, `${who} ${may} ${actions} on ${tables}, ${rules[rule].because}`, source, location);
  });
}

function violation(
  ruleName: FencingRule,
  description: string,
  { construct }: SynthesisedResource,
  location: string,
): PolicyViolation {
  const violatingResources = [{ constructPath: construct.node.path, locations: [location] }];
  return { ruleName, description, fix: rules[ruleName].fix, severity: 'error', violatingResources };
}

/** The path of the construct that a user made, rather than of what is in it. */
function pathOf({ construct }: SynthesisedResource): string {
  return construct.node.path.replace(/(\/(Default|Resource))+$/, '');
}

function listed(texts: readonly string[]): string {
  return [...new Set(texts)].join(', ');
}
