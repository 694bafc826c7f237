/** A row of what a query sees, or answers. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Runs the part of the query language of CloudWatch Logs Insights that the documentation uses, over log lines: `fields`,
 * `filter` (`=`, `!=`, `in [...]`, `and`), `stats count(*) as name by field, ...`, `sort field asc|desc`, `limit n`. What it does not know is an error,
 * so that a query in the documentation cannot say more than is tested.
 */
export function runQuery(query: string, rows: readonly Row[]): Row[] {
  return query
    .split(/\n\s*\|/)
    .map((command) => command.trim())
    .reduce<Row[]>((found, command) => run(command, found), [...rows]);
}

function run(command: string, rows: Row[]): Row[] {
  const [, verb = '', rest = ''] = /^(\w+)\s+(.*)$/s.exec(command) ?? [];
  switch (verb) {
    case 'fields':
      return rows.map((row) => withFields(row, names(rest)));
    case 'filter':
      return rows.filter((row) => rest.split(/\s+and\s+/).every((term) => holds(term, row)));
    case 'stats':
      return counted(rest, rows);
    case 'sort':
      return sorted(rest, rows);
    case 'limit':
      return rows.slice(0, Number(rest));
    default:
      throw new Error(`not known: ${command}`);
  }
}

function names(list: string): string[] {
  return list.split(',').map((name) => name.trim());
}

// `fields` adds to what is shown; later commands still see all of the line.
function withFields(row: Row, shown: readonly string[]): Row {
  const before = (row[shownFields as never] as readonly string[] | undefined) ?? [];
  return { ...row, [shownFields]: [...before, ...shown] };
}

const shownFields = Symbol('fields');

/** What a person is shown of an answer: the fields that were asked for, where the line has them. */
export function shownOf(row: Row): Row {
  const fields = (row[shownFields as never] as readonly string[] | undefined) ?? Object.keys(row);
  return Object.fromEntries(
    fields.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]),
  );
}

function holds(term: string, row: Row): boolean {
  const among = /^([\w.@]+)\s+in\s+\[(.*)\]$/s.exec(term);
  if (among !== null) return names(among[2] ?? '').some((one) => row[among[1] ?? ''] === literal(one));
  const compared = /^([\w.@]+)\s*(=|!=)\s*(\S+)$/.exec(term);
  if (compared === null) throw new Error(`not known: filter ${term}`);
  const [, name = '', operator, text = ''] = compared;
  return (row[name] === literal(text)) === (operator === '=');
}

function literal(text: string): unknown {
  if (!/^(".*"|-?\d+)$/.test(text)) throw new Error(`neither text nor number: ${text}`);
  return JSON.parse(text);
}

function counted(rest: string, rows: readonly Row[]): Row[] {
  const [, as = '', by = ''] = /^count\(\*\) as (\w+) by (.*)$/.exec(rest) ?? [];
  if (as === '') throw new Error(`not known: stats ${rest}`);
  const groups = new Map<string, Row>();
  for (const row of rows) {
    const group = Object.fromEntries(names(by).map((name) => [name, row[name]]));
    const key = JSON.stringify(group);
    groups.set(key, { ...group, [as]: Number(groups.get(key)?.[as] ?? 0) + 1 });
  }
  return [...groups.values()];
}

function sorted(rest: string, rows: readonly Row[]): Row[] {
  const [, name = '', direction] = /^([\w.@]+) (asc|desc)$/.exec(rest) ?? [];
  if (direction === undefined) throw new Error(`not known: sort ${rest}`);
  const sign = direction === 'asc' ? 1 : -1;
  return [...rows].sort((x, y) => sign * (Number(x[name]) - Number(y[name])));
}
