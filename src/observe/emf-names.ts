import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { checkRecord } from '../fence/options.ts';
import { metricNames, refusalMetrics } from './metric-names.ts';

/*
 * What CloudWatch takes: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_Dimension.html and
 * API_MetricDatum.html. What it does not take it drops, line by line, without a word to whoever wrote them.
 */
const MOST_DIMENSIONS = 30;
const LONGEST_NAME = 255;
const LONGEST_VALUE = 1_024;
const printable = /^[\x20-\x7e]*[\x21-\x7e][\x20-\x7e]*$/;

/** The fields of a line that are its own: a dimension of such a name would take their place, or they its. */
const taken: ReadonlySet<string> = new Set([
  '_aws',
  ...Object.values(metricNames),
  ...Object.values(refusalMetrics),
]);

/** @throws InvalidInputError for what is no namespace of CloudWatch. */
export function checkNamespace(namespace: unknown, path: string): void {
  checkText(namespace, path, LONGEST_NAME);
  checkStart(namespace as string, path);
}

/** @throws InvalidInputError for what are no dimensions of CloudWatch, or take the place of a metric. */
export function checkDimensions(dimensions: Readonly<Record<string, string>>, path: string): void {
  checkRecord(dimensions, path);
  for (const [name, value] of Object.entries(dimensions)) {
    const at = `${path}.${name}`;
    checkText(name, at, LONGEST_NAME, 'its name');
    checkStart(name, at);
    if (taken.has(name)) {
      throw new InvalidInputError(at, 'a line has a field of its own of that name', 'Pass another name.');
    }
    checkText(value, at, LONGEST_VALUE);
  }
  if (Object.keys(dimensions).length <= MOST_DIMENSIONS) return;
  throw new InvalidInputError(path, `CloudWatch takes ${MOST_DIMENSIONS} of them`, 'Pass fewer.');
}

function checkText(text: unknown, path: string, longest: number, what = describe(text)): void {
  if (typeof text === 'string' && text.length <= longest && printable.test(text)) return;
  throw new InvalidInputError(
    path,
    `${what} is no text that CloudWatch takes`,
    `Pass 1 to ${longest} printable ASCII characters, not only spaces.`,
  );
}

function checkStart(name: string, path: string): void {
  if (!name.startsWith(':')) return;
  throw new InvalidInputError(
    path,
    'it begins with a colon',
    'Pass another name: CloudWatch keeps those for itself.',
  );
}
