import { describe } from './describe.ts';

/** Why a value is no token, and what to do: each a sentence for an error. */
export interface NoToken {
  readonly problem: string;
  readonly advice: string;
}

const uuid = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;
const hex = /^(0x[0-9a-f]+|[0-9a-f]*[a-f][0-9a-f]*)$/i;

/** What is usually passed instead of a token, told apart, because each has another remedy. */
export function whyNoToken(value: unknown): NoToken {
  const { why, instead } = typeof value === 'string' ? ofText(value) : ofOther(value);
  return {
    problem: `${describe(value)} is not a fencing token: ${why}. It must be an integer from 0 to 2^53 − 1 that grows with every grant`,
    advice: instead,
  };
}

interface Remedy {
  readonly why: string;
  readonly instead: string;
}

function ofText(text: string): Remedy {
  if (uuid.test(text)) return { why: 'neither a UUID nor a hash has an order', instead: counter };
  if (/^[0-9]+$/.test(text)) {
    return /^0/.test(text)
      ? { why: 'it has leading zeros, by which one number has many texts', instead: plain }
      : tooLarge;
  }
  if (/^-[0-9]+$/.test(text)) return negative;
  if (/^[-+]?[0-9]*\.?[0-9]+(e[-+]?[0-9]+)?$/i.test(text)) {
    return { why: 'it is no plain decimal integer', instead: plain };
  }
  if (hex.test(text)) {
    return {
      why: 'hexadecimal is not ordered as numbers are, and a hash not at all',
      instead:
        'Pass BigInt(`0x…`) where it is a counter in hexadecimal, as a czxid is; take another number of the issuer where it is a hash or an ETag.',
    };
  }
  return { why: 'this text is no number', instead: counter };
}

function ofOther(value: unknown): Remedy {
  if (typeof value === 'bigint') return value < 0n ? negative : tooLarge;
  if (typeof value !== 'number') return { why: 'it is no number', instead: counter };
  if (value < 0) return negative;
  if (Number.isInteger(value)) {
    return {
      why: 'it is beyond 2^53 − 1, where numbers of JavaScript are rounded, so that two tokens may have become one',
      instead:
        'Read it as text or as a bigint, so that it is not rounded, and subtract a constant that all parties share until it fits.',
    };
  }
  if (Number.isFinite(value)) {
    return { why: 'a fraction is rounded differently by each who carries it', instead: wholeTime };
  }
  return { why: 'it counts nothing', instead: counter };
}

const counter =
  'Pass the counter that the issuer of the lease raises with every grant, as a number, a bigint or decimal text: a revision, a sequence, an index. What is only unique cannot fence.';
const plain = 'Pass its digits alone, as 42 or "42".';
const wholeTime =
  'Pass a counter. A time can stand in for one only in whole milliseconds, and where nobody is ever granted the lease at an earlier time than somebody before.';
const negative: Remedy = { why: 'it is below 0', instead: counter };
const tooLarge: Remedy = {
  why: 'it is beyond 2^53 − 1, which neither JavaScript nor JSON carries exactly',
  instead:
    'Subtract a constant that all parties share until it fits; a number with an epoch in its upper half can be renumbered by a counter of your own.',
};
