import { wireOptions } from '../dynamo/client.ts';
import { writeOptions } from '../dynamo/in-turn.ts';
import { anything, callOptions, flag, type OptionChecks } from '../fence/options.ts';
import type {
  CheckOptions,
  ConditionalWriteOptions,
  ConditionOptions,
  FencedRepositoryOptions,
  UpdateOptions,
} from './options.ts';
import type { PageOptions } from './page-options.ts';
import type { QueryOptions, ScanOptions } from './query.ts';

/*
 * What the options of each call must be. Conditions, positions and what a repository is made of are checked where they are put to use.
 */
export const conditionOptions: OptionChecks<ConditionOptions<unknown>> = {
  when: anything,
  ifVersion: anything,
};

export const conditionalWriteOptions: OptionChecks<ConditionalWriteOptions<unknown>> = {
  ...writeOptions,
  ...conditionOptions,
};

export const updateOptions: OptionChecks<UpdateOptions<unknown>> = {
  ...conditionalWriteOptions,
  upsert: flag,
};

export const updatePlanOptions: OptionChecks<Omit<UpdateOptions<unknown>, keyof typeof writeOptions>> = {
  ...conditionOptions,
  upsert: flag,
};

export const checkPlanOptions: OptionChecks<CheckOptions<unknown>> = { ...conditionOptions, absent: flag };

const pageOptions: OptionChecks<PageOptions> = {
  ...callOptions,
  limit: anything,
  cursor: anything,
  consistent: flag,
};

export const queryOptions: OptionChecks<QueryOptions<unknown>> = {
  ...pageOptions,
  index: anything,
  key: anything,
  filter: anything,
  reverse: flag,
};

export const scanOptions: OptionChecks<ScanOptions<unknown>> = {
  ...pageOptions,
  index: anything,
  filter: anything,
  segments: anything,
};

export const repositoryOptions: OptionChecks<FencedRepositoryOptions<object, never>> = {
  ...wireOptions,
  tableName: anything,
  key: anything,
  resource: anything,
  schema: anything,
  unfenced: anything,
  attributes: anything,
  checkIndexes: flag,
  transactions: flag,
  numbers: anything,
};
