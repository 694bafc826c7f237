import type { LeaseCheck } from '../dynamo/lease-check.ts';
import type { Plan, Step } from '../dynamo/step.ts';
import type { Contention, Fenced, FenceRefusal, Lost, NotFound, NotMet } from '../fence/result.ts';

/** What `transact` sends: steps by names, or listed. */
export type Steps = Readonly<Record<string, Step>> | readonly Step[];

/** Which step it was, and on which item. */
export interface StepPlace<Name extends string | number = string | number> {
  /** The name of the step, or its place in the list. */
  readonly step: Name;
  readonly tableName: string;
  /** The primary key, as text: numbers as they are written, binary as base64. */
  readonly key: Readonly<Record<string, string>>;
}

type NameIn<S> = Extract<keyof S, string>;

/** Why a step may refuse of which no more is known than that it is one. */
type AnyRefusal = NotFound | NotMet<unknown, 'exists' | 'version' | 'condition'> | FenceRefusal;

/** Why one step would refuse, by its type. */
type RefusalOf<P> = P extends LeaseCheck
  ? Fenced | Lost | Contention
  : P extends Plan<infer _, infer Refused>
    ? unknown extends Refused
      ? AnyRefusal
      : Refused | FenceRefusal
    : never;

/** The refusal of one step, with what the step itself would answer, and its place. */
export type StepRefusal<S extends Steps> = S extends readonly (infer P)[]
  ? RefusalOf<P> & StepPlace<number>
  : { [N in NameIn<S>]: RefusalOf<S[N]> & StepPlace<N> }[NameIn<S>];

type VersionOf<P> =
  P extends Plan<infer Done, infer _>
    ? unknown extends Done
      ? string | undefined
      : Done extends { readonly version: string }
        ? string
        : undefined
    : undefined;

/** The version that each step left; undefined for deletes and checks, which leave none. */
export type Versions<S extends Steps> = { readonly [N in keyof S]: VersionOf<S[N]> };

/** All steps were applied, at one moment, once. */
export interface Transacted<S extends Steps> {
  readonly ok: true;
  /** True where the answer to an earlier copy was lost and a later one found its effect. */
  readonly replayed: boolean;
  readonly versions: Versions<S>;
}

/**
 * Nothing was applied. It has the reason of the gravest refusal, and `refused` lists all that are known, in
 * the order of the steps. A transaction that was turned away as a whole (throttling) names no step.
 */
export type TransactRefused<S extends Steps> = (
  | StepRefusal<S>
  | (Contention & { readonly step: undefined })
) & {
  readonly refused: readonly StepRefusal<S>[];
};

/** What `transact` answers. */
export type TransactResult<S extends Steps> = Transacted<S> | TransactRefused<S>;
