/*
 * Every page of the tracing app: for what holds on all of them, and for the images of the documents.
 */

export interface AppPage {
  /** As the routes declare it: `/p/$projectId/traces`. */
  readonly route: string
  /** Search parameters. */
  readonly search?: string
  /** What is there with the data of the page; by default, its heading. */
  readonly shows?: string
}

const inProject = (path: string, more: Omit<AppPage, 'route'> = {}): AppPage => ({
  route: `/p/$projectId/${path}`,
  ...more,
})

/** The pages of a person who is signed in. */
export const signedInPages: readonly AppPage[] = [
  inProject('traces', { shows: 'table tbody tr' }),
  inProject('traces', { search: '?status=ERROR&model=gpt-5.4', shows: 'text=Clear all' }),
  inProject('traces/$traceId', { shows: '[role=treeitem]' }),
  ...['graph', 'usage', 'logs', 'evaluations', 'comments'].map((view) =>
    inProject('traces/$traceId', { search: `?view=${view}` }),
  ),
  inProject('compare', { search: '?a=$traceId&b=$otherTraceId', shows: 'table' }),
  inProject('sessions', { shows: 'table tbody tr' }),
  inProject('sessions/$sessionId'),
  inProject('users', { shows: 'table tbody tr' }),
  inProject('dashboard', { search: '?range=7d', shows: 'main [role=img]' }),
  inProject('scores/results', { shows: 'table tbody tr' }),
  inProject('scores/agreement', { shows: 'table tbody tr' }),
  inProject('scores/agreement/$evaluatorId', { shows: 'table tbody tr' }),
  inProject('scores/review', { shows: 'table tbody tr' }),
  inProject('scores/review/$queueId', { shows: 'text=Reviewer instructions' }),
  inProject('metrics'),
  inProject('logs', { shows: 'table tbody tr' }),
  inProject('alerts', { shows: 'table tbody tr' }),
  inProject('evaluators/catalogue', { shows: 'table tbody tr' }),
  inProject('evaluators/collections', { shows: 'table tbody tr' }),
  inProject('evaluators/runs', { shows: 'table tbody tr' }),
  inProject('evaluators/automatic', { shows: 'table tbody tr' }),
  inProject('cost-calculator/agent'),
  inProject('cost-calculator/import'),
  inProject('cost-calculator/estimate'),
  inProject('cost-calculator/runs', { shows: 'table tbody tr' }),
  inProject('cost-calculator/runs/$runId', { shows: 'table tbody tr' }),
  inProject('cost-calculator/compare'),
  inProject('synthetic/source'),
  inProject('synthetic/blueprint'),
  inProject('synthetic/scenarios'),
  inProject('prices/models', { shows: 'table tbody tr' }),
  inProject('prices/custom', { shows: 'table tbody tr' }),
  inProject('prices/recalculate'),
  inProject('storage'),
  inProject('send'),
  inProject('keys', { shows: 'table tbody tr' }),
  ...['general', 'members', 'invites', 'roles', 'projects', 'models', 'single-sign-on'].map(
    (tab) => ({ route: `/o/$orgId/settings/${tab}` }),
  ),
  { route: '/o/$orgId/settings/audit-log', shows: 'table tbody tr' },
  ...['access', 'people', 'super-admins', 'organizations', 'audit-log'].map((tab) => ({
    route: `/platform/${tab}`,
  })),
  { route: '/profile' },
  { route: '/session-transfer', search: '?state=made-up' },
]

/** The pages that need no session. */
export const signedOutPages: readonly AppPage[] = [
  ...['/sign-in', '/sign-up', '/forgot-password', '/setup'].map((route) => ({ route })),
  { route: '/choose-password', search: '#token=made-up' },
  { route: '/accept-invite', search: '#token=made-up' },
  { route: '/session-transfer/start' },
  { route: '/session-transfer/redeem', search: '#code=made-up' },
]
