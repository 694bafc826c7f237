import { resourcesOf, type Template } from './template.ts';

interface RouteProperties {
  readonly RouteKey: string;
  readonly AuthorizationScopes?: readonly string[];
}

/** A route of an HTTP API. */
export interface Route {
  /** As `POST /accounts/{id}/lease`. */
  readonly key: string;
  /** One of them is needed. */
  readonly scopes: readonly string[];
  /** Whether a request takes it. */
  matches(method: string, path: string): boolean;
}

/** The routes of the HTTP API in a template. Pure. */
export function routesOf(template: Template): Route[] {
  return resourcesOf<RouteProperties>(template, 'AWS::ApiGatewayV2::Route').map(([, properties]) => {
    const { RouteKey: key, AuthorizationScopes: scopes = [] } = properties;
    const [method, path = ''] = key.split(' ');
    const pattern = new RegExp(
      `^${path
        .split(/\{\w+\}/)
        .map(literal)
        .join('[^/]+')}$`,
    );
    return { key, scopes, matches: (asked, at) => asked === method && pattern.test(at) };
  });
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
