import { isJsonObject } from './json-object.ts';

/** What etcd says where it does not do as it is asked. */
export class EtcdError extends Error {
  override readonly name = 'EtcdError';
  /** The code of gRPC; undefined where no member of a cluster has answered. */
  readonly grpcCode: number | undefined;

  constructor(message: string, grpcCode?: number) {
    super(message);
    this.grpcCode = grpcCode;
  }
}

/**
 * Of an answer that is not 200, or says `error`: as a text beside its code, or from what streams as an object that holds both. What a proxy in
 * between says is not repeated: it may hold anything.
 */
export function refusalOf(status: number | undefined, answer: unknown): EtcdError {
  const said = isJsonObject(answer) ? answer : {};
  const { error, message = error, code, grpc_code = code } = isJsonObject(said.error) ? said.error : said;
  if (typeof message === 'string' && typeof grpc_code === 'number') return new EtcdError(message, grpc_code);
  return new EtcdError(
    `the address of etcd answered with HTTP ${status}`,
    status === 404 ? UNIMPLEMENTED : undefined,
  );
}

const INVALID_ARGUMENT = 3;
const NOT_FOUND = 5;
const PERMISSION_DENIED = 7;
const RESOURCE_EXHAUSTED = 8;
const FAILED_PRECONDITION = 9;
const UNIMPLEMENTED = 12;
const UNAUTHENTICATED = 16;

const forGood = new Set<number | undefined>([
  INVALID_ARGUMENT,
  PERMISSION_DENIED,
  UNIMPLEMENTED,
  UNAUTHENTICATED,
]);

/** Whether the same request can never succeed. */
export function isForGood(error: unknown): boolean {
  return error instanceof EtcdError && forGood.has(error.grpcCode) && !isOldProof(error);
}

const before = new Set<number | undefined>([...forGood, NOT_FOUND, RESOURCE_EXHAUSTED, FAILED_PRECONDITION]);

/** Whether etcd refused before it changed anything. */
export function changedNothing(error: unknown): boolean {
  if (!(error instanceof EtcdError)) return false;
  return before.has(error.grpcCode) || isNoLeader(error) || isOldProof(error);
}

/** Whether somebody else, or the same one anew, may be let in. */
export function isProofRefused(error: unknown): boolean {
  return error instanceof EtcdError && (error.grpcCode === UNAUTHENTICATED || isOldProof(error));
}

/** A user or a role has changed since; the second is said by members that find it out when they apply a request. */
const oldProof = ['etcdserver: revision of auth store is old', 'auth: revision in header is old'];

function isOldProof({ message }: EtcdError): boolean {
  return oldProof.includes(message);
}

/** Of a member that has lost its cluster. */
export function isNoLeader(error: unknown): boolean {
  return error instanceof EtcdError && error.message === 'etcdserver: no leader';
}

export function isLeaseMissing(error: unknown): boolean {
  return error instanceof EtcdError && error.grpcCode === NOT_FOUND;
}

export function isLeaseTaken(error: unknown): boolean {
  return error instanceof EtcdError && error.grpcCode === FAILED_PRECONDITION;
}
