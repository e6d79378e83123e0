import type { FastifyInstance } from 'fastify'

/*
 * Reports each completed request, for metrics.
 */

export interface CompletedRequest {
  readonly method: string
  /** The path of the route, with parameter names; `other` for requests without a route. */
  readonly path: string
  readonly status: number
  readonly seconds: number
}

export function onRequestCompleted(
  app: FastifyInstance,
  report: (request: CompletedRequest) => void,
): void {
  app.addHook(
    'onResponse',
    async ({ method, is404, routeOptions }, { statusCode, elapsedTime }) => {
      // Files of the web app have routes of their own, and their names change with each build.
      const { url = '' } = routeOptions
      const path = is404 ? 'other' : url.startsWith('/assets/') ? '/assets/*' : url
      report({
        method: is404 ? 'other' : method,
        path,
        status: statusCode,
        seconds: elapsedTime / 1000,
      })
    },
  )
}
