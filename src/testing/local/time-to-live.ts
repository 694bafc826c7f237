import { validationError } from './api-error.ts';
import type { EngineContext, Operation } from './context.ts';
import type { Callback, Input } from './dynalite.ts';
import { checkShape } from './dynalite-operation.ts';
import { anyTable } from './table.ts';

/*
 * The settings only: nothing is ever deleted here for having expired. On AWS that takes up to days, so
 * nothing that is right may depend on it.
 */

interface TimeToLive {
  readonly Enabled: boolean;
  readonly AttributeName: string;
}

const attributeName = {
  type: 'String',
  notNull: true,
  lengthGreaterThanOrEqual: 1,
  lengthLessThanOrEqual: 255,
};
const specification = {
  type: 'FieldStruct<TimeToLiveSpecification>',
  notNull: true,
  children: { Enabled: { type: 'Boolean', notNull: true }, AttributeName: attributeName },
};

/** UpdateTimeToLive. To enable what is enabled, or disable what is not, is refused as on AWS. */
export const updateTimeToLive: Operation = async (context, raw) => {
  const { types } = context.dynalite.rules('DescribeTimeToLive');
  const rules = { types: { ...types, TimeToLiveSpecification: specification } };
  const { TableName, TimeToLiveSpecification } = checkShape(context, rules, raw);
  const tableName = String(TableName);
  const wanted = TimeToLiveSpecification as TimeToLive;
  await anyTable(context, tableName);
  const current = await recall(context, tableName);
  const isEnabled = current?.Enabled === true;
  if (wanted.Enabled === isEnabled && (!isEnabled || current?.AttributeName === wanted.AttributeName)) {
    throw validationError(`TimeToLive is already ${isEnabled ? 'enabled' : 'disabled'}`);
  }
  if (isEnabled && current?.AttributeName !== wanted.AttributeName) {
    throw validationError(
      `TimeToLive is active on a different AttributeName: current AttributeName is ${current?.AttributeName}`,
    );
  }
  await settled((done) => context.store.db.put(keyOf(tableName), wanted, done));
  return { TimeToLiveSpecification: wanted };
};

/** DescribeTimeToLive. */
export const describeTimeToLive: Operation = async (context, raw) => {
  const { TableName } = checkShape(context, context.dynalite.rules('DescribeTimeToLive'), raw);
  const tableName = String(TableName);
  await anyTable(context, tableName);
  const current = await recall(context, tableName);
  return {
    TimeToLiveDescription:
      current?.Enabled === true
        ? { TimeToLiveStatus: 'ENABLED', AttributeName: current.AttributeName }
        : { TimeToLiveStatus: 'DISABLED' },
  };
};

/** A table that is created again under the same name starts without. */
export async function forgetTimeToLive(context: EngineContext, { TableName }: Input): Promise<void> {
  await settled((done) => context.store.db.del(keyOf(String(TableName)), done));
}

function recall({ store }: EngineContext, tableName: string): Promise<TimeToLive | undefined> {
  return settled((done) => store.db.get(keyOf(tableName), done as Callback<unknown>));
}

const keyOf = (tableName: string) => `time-to-live~${tableName}`;

function settled<Value>(start: (done: Callback<Value>) => void): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    start((error, value) => (error ? reject(error) : resolve(value)));
  });
}
