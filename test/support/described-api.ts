import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

interface Media {
  readonly schema: object;
}

interface Described {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: object }>>;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: Described;
  readonly responses: Readonly<Record<string, Described>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** An API with its OpenAPI description: what it answers must be described, and what is described must be answered. */
export interface DescribedApi {
  /** Throws where the response, or the request of a success, is not as it is described. */
  check(request: Request, response: Response): Promise<void>;
  /** The statuses that are described, and that no response had which was checked. */
  unseen(): readonly string[];
}

const methods = ['get', 'put', 'post', 'delete', 'patch'];

/** Reads an OpenAPI 3.1 document. @throws where it is none. */
export async function describedApi(file: URL): Promise<DescribedApi> {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(readFileSync(file, 'utf8'));
  if (!valid) throw new Error(`${file.pathname}: ${JSON.stringify(errors)}`);
  if (validator.version !== '3.1') throw new Error(`${file.pathname} is OpenAPI ${validator.version}`);
  const { paths } = validator.resolveRefs() as { paths: Paths };
  // Headers are text, of which an integer has to be made first; bodies are taken as they are.
  const [strict, coercing] = [false, true].map((coerceTypes) =>
    formats.default(new Ajv2020({ coerceTypes, allErrors: true, strict: true, strictTypes: false })),
  ) as [Ajv2020, Ajv2020];
  const compiled = new Map<object, ValidateFunction>();
  const verify = (ajv: Ajv2020, schema: object, value: unknown, what: string) => {
    const validate = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, validate);
    if (!validate(value)) throw new Error(`${what}: ${ajv.errorsText(validate.errors)}`);
  };
  const seen = new Set<string>();

  return {
    async check(request, response) {
      const { pathname } = new URL(request.url);
      const path = Object.keys(paths).find((template) => fits(template, pathname));
      const operation = path === undefined ? undefined : paths[path]?.[request.method.toLowerCase()];
      const name = `${request.method} ${path ?? pathname} ${response.status}`;
      const described = operation?.responses[response.status];
      if (operation === undefined || described === undefined) throw new Error(`${name} is not described`);
      seen.add(name);
      checkHeaders(described, response.headers, name, (schema, value, what) =>
        verify(coercing, schema, value, what),
      );
      await checkBody(described, response, name, (schema, value, what) =>
        verify(strict, schema, value, what),
      );
      if (!response.ok) return;
      const missing = (operation.parameters ?? []).filter(
        (parameter) =>
          parameter.in === 'header' && parameter.required && !request.headers.has(parameter.name),
      );
      if (missing.length > 0) throw new Error(`${name}: ${missing[0]?.name} is not required`);
      await checkBody(operation.requestBody ?? {}, request, `the request of ${name}`, (schema, value, what) =>
        verify(strict, schema, value, what),
      );
    },
    unseen: () =>
      Object.entries(paths).flatMap(([path, item]) =>
        methods.flatMap((method) =>
          Object.keys(item[method]?.responses ?? {})
            .map((status) => `${method.toUpperCase()} ${path} ${status}`)
            .filter((name) => !seen.has(name)),
        ),
      ),
  };
}

type Verify = (schema: object, value: unknown, what: string) => void;

function fits(template: string, pathname: string): boolean {
  const [expected, found] = [template.split('/'), pathname.split('/')];
  return (
    expected.length === found.length &&
    expected.every((part, index) => (/^{.*}$/.test(part) ? found[index] !== '' : part === found[index]))
  );
}

function checkHeaders({ headers = {} }: Described, found: Headers, name: string, verify: Verify): void {
  const described = new Map(Object.entries(headers).map(([header, rest]) => [header.toLowerCase(), rest]));
  for (const [header, value] of found) {
    if (header === 'content-type') continue;
    const schema = described.get(header)?.schema;
    if (schema === undefined) throw new Error(`${name}: the header ${header} is not described`);
    verify({ type: 'object', properties: { [header]: schema } }, { [header]: value }, `${name}: ${header}`);
  }
  for (const [header, { required }] of described) {
    if (required && !found.has(header)) throw new Error(`${name}: there is no header ${header}`);
  }
}

async function checkBody({ content }: Described, message: Request | Response, name: string, verify: Verify) {
  const text = await message.clone().text();
  if (content === undefined) {
    if (text !== '') throw new Error(`${name}: no body is described`);
    return;
  }
  const type = message.headers.get('Content-Type') ?? 'nothing';
  const media = content[type];
  if (media === undefined) throw new Error(`${name}: ${type} is not described`);
  verify(media.schema, JSON.parse(text), name);
}
