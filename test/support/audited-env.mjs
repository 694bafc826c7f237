import { auditFileVariable } from './audit-file.mjs';

/**
 * The environment in which every Node process is audited, and every one that it starts.
 *
 * @param {string} file where it writes down what it sees
 */
export function auditedEnv(file) {
  const { NODE_OPTIONS = '' } = process.env;
  const preload = new URL('audit-process.mjs', import.meta.url).href;
  return { [auditFileVariable]: file, NODE_OPTIONS: `${NODE_OPTIONS} --import ${preload}`.trim() };
}
