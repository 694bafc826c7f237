import { describe, expect, it } from 'vitest';
import { classify, errorName } from '../../src/dynamo/wire-error.ts';

const service = (name: string, httpStatusCode = 400) => ({ name, $metadata: { httpStatusCode } });

const cancelled = (...codes: string[]) => ({
  ...service('TransactionCanceledException'),
  CancellationReasons: codes.map((Code) => ({ Code })),
});

describe('what the failure of a copy says about it', () => {
  it.each([
    ['refused', service('ConditionalCheckFailedException')],
    ['throttled', service('ProvisionedThroughputExceededException')],
    ['throttled', service('ThrottlingException')],
    ['throttled', service('RequestLimitExceeded')],
    ['throttled', service('SlowDown', 503)],
    ['throttled', { name: 'Whatever', $metadata: { httpStatusCode: 429 } }],
    ['conflict', service('TransactionConflictException')],
    ['conflict', service('ReplicatedWriteConflictException')],
    ['in-progress', service('TransactionInProgressException')],
    ['fault', service('IdempotentParameterMismatchException')],
    ['refused', cancelled('None', 'ConditionalCheckFailed')],
    ['refused', cancelled('TransactionConflict', 'ConditionalCheckFailed', 'ThrottlingError')],
    ['refused', cancelled('ValidationError', 'ConditionalCheckFailed')],
    // For no reason that is given: it has to be looked into.
    ['refused', cancelled()],
    ['refused', cancelled('None', 'None')],
    ['refused', service('TransactionCanceledException')],
    ['conflict', cancelled('None', 'TransactionConflict')],
    ['throttled', cancelled('ThrottlingError', 'None')],
    ['throttled', cancelled('TransactionConflict', 'ProvisionedThroughputExceeded')],
    ['throttled', cancelled('RequestLimitExceeded')],
    ['fault', cancelled('None', 'ValidationError')],
    ['fault', cancelled('TransactionConflict', 'ItemCollectionSizeLimitExceeded')],
    ['fault', cancelled('SomethingNew')],
    ['fault', service('ValidationException')],
    ['fault', service('AccessDeniedException')],
    ['fault', service('ResourceNotFoundException')],
    ['fault', service('ItemCollectionSizeLimitExceededException')],
    ['fault', service('ExpiredTokenException', 403)],
    ['fault', service('InvalidSignatureException')],
    ['misdated', { ...service('InvalidSignatureException'), $metadata: { clockSkewCorrected: true } }],
    ['misdated', { ...service('RequestExpired'), $metadata: { clockSkewCorrected: true } }],
    ['undecided', service('InternalServerError', 500)],
    ['undecided', service('ServiceUnavailableException', 503)],
    ['undecided', service('GatewayTimeoutException', 504)],
    // Something between us and the service, which may have passed the request on.
    ['undecided', service('RequestTimeoutException', 408)],
    ['undecided', service('ClientClosedRequestException', 499)],
    ['undecided', { name: 'SyntaxError', $metadata: { httpStatusCode: 403 } }],
    ['undecided', Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' })],
    ['undecided', { code: 'EPIPE' }],
    ['undecided', { code: 'ETIMEDOUT', syscall: 'connect' }],
    ['undecided', { name: 'AbortError' }],
    ['undecided', new SyntaxError('Unexpected end of JSON input')],
    ['undecided', new Error('anything')],
    ['undecided', 'a text'],
    ['undecided', undefined],
    ['undecided', null],
    ['never-left', { code: 'ECONNREFUSED', syscall: 'connect' }],
    ['never-left', { code: 'ECONNREFUSED' }],
    ['never-left', { code: 'EHOSTUNREACH', syscall: 'connect' }],
    ['never-left', { code: 'ENETUNREACH', syscall: 'connect' }],
    ['never-left', { code: 'EADDRNOTAVAIL', syscall: 'connect' }],
    ['never-left', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }],
    ['never-left', { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }],
    ['never-left', { code: 'ENOTFOUND', syscall: 'queryA' }],
    [
      'never-left',
      new AggregateError([{ code: 'ECONNREFUSED' }, { code: 'ENETUNREACH', syscall: 'connect' }]),
    ],
    // One of several addresses may have been reached.
    ['undecided', new AggregateError([{ code: 'ECONNREFUSED' }, { code: 'ETIMEDOUT' }])],
    ['undecided', new AggregateError([])],
    // A connection that stood, and a network that went down behind the request.
    ['undecided', { code: 'EHOSTUNREACH', syscall: 'read' }],
    ['undecided', { code: 'ENETUNREACH', syscall: 'write' }],
    ['undecided', { code: 'ECONNREFUSED', syscall: 'read' }],
  ] as const)('%s: %j', (is, error) => {
    expect(classify(error, true)).toBe(is);
  });

  it('a failure before the transport had the request is no matter of the service, whatever it is called', () => {
    for (const error of [service('ThrottlingException'), service('AccessDeniedException'), new Error('no')]) {
      expect(classify(error, false)).toBe('unsendable');
    }
    // Asking for credentials, too, can fail for want of a connection: that may pass.
    expect(classify({ code: 'ECONNREFUSED' }, false)).toBe('never-left');
  });
});

describe('the name of an error', () => {
  it.each([
    ['its name', { name: 'ThrottlingException' }],
    ['its type', { __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException' }],
    ['the type, where the name says nothing', { name: 'Error', __type: 'ThrottlingException' }],
    ['its Code', { Code: 'ThrottlingException' }],
    ['its code', Object.assign(new Error('slow down'), { code: 'ThrottlingException' })],
  ])('is %s', (_, error) => {
    expect(errorName(error)).toBe('ThrottlingException');
  });

  it.each([
    [new Error('x'), 'Error'],
    [{}, ''],
    [undefined, ''],
    [null, ''],
    ['text', ''],
    [{ name: 7 }, ''],
  ])('%s: %s', (error, name) => {
    expect(errorName(error)).toBe(name);
  });
});
