/*
 * What a request without sign-in may cost at most, as data: anybody can send as many as they like. Every anonymous
 * endpoint declares it, and the reference page of limits lists it.
 */

export interface AnonymousBounds {
  readonly work: keyof typeof anonymousWork
  /** Rows that the request reads, all by an index. */
  readonly rowsRead: number
  /** Rows that the request adds. Its sender can choose any e-mail address, but has no token, code or password. */
  readonly rowsAdded: number
  readonly rateLimit: keyof typeof anonymousRateLimits
}

/** Processor time and memory, beyond reading the body. */
export const anonymousWork = {
  none: 'a response from memory',
  query: 'a few queries by an index',
  password: 'a password hash; few run at once',
  mail: 'a mail to an existing account, at most one in two minutes',
  provider: 'requests to the identity provider of an organization',
  saml: 'verifying a SAML response, apart from other requests',
} as const

export const anonymousRateLimits = {
  none: 'none',
  network: 'refused attempts of a network',
  address: 'refused attempts of a network and at an e-mail address',
  lookups: 'requests of a network',
  token: 'requests of a network and with a token',
  setUp: 'requests and refused attempts of a network',
  discovery: 'requests of a network',
  starts: 'sign-ins that a network starts',
  posts: 'SAML responses that a network posts, and those of a sign-in',
} as const

/** A route outside the API that anybody may call. */
export interface OpenRoute {
  readonly path: string
  readonly what: string
  readonly bounds: AnonymousBounds
}

/** The least that a request can cost. */
export const fromMemory = {
  work: 'none',
  rowsRead: 0,
  rowsAdded: 0,
  rateLimit: 'none',
} as const satisfies AnonymousBounds

/** All of them are GET. Every other route is an endpoint of the contract. */
export const openRoutes: readonly OpenRoute[] = [
  { path: '/healthz', what: 'whether the process runs', bounds: fromMemory },
  {
    path: '/readyz',
    what: 'whether the service can handle requests',
    bounds: { ...fromMemory, work: 'query' },
  },
  {
    path: '/metrics',
    what: 'metrics of the service, on its machine or with a token',
    bounds: { ...fromMemory, work: 'query' },
  },
  { path: '/docs', what: 'this reference, generated once', bounds: fromMemory },
  {
    path: '/api/v1/openapi.json',
    what: 'the description of the API, generated once',
    bounds: fromMemory,
  },
  { path: '/', what: 'the web app', bounds: fromMemory },
  {
    path: '/*',
    what: 'pages and files of the web app, compressed once',
    bounds: fromMemory,
  },
]
