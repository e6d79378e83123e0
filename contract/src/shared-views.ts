import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { appBody, id, inProject, label, limitedList, pathId, removed, timestamp } from './fields.ts'
import { limits } from './limits.ts'
import { viewPage } from './saved-views.ts'

/** A filtered trace list, or a chart of the dashboard, that everyone in the project sees. */
export const sharedView = z
  .object({
    id,
    page: viewPage,
    name: z.string(),
    query: z.string().describe('the query string of the page, without the question mark'),
    created_by: z.string().nullable().describe('the name of the user who shared it'),
    created_at: timestamp,
  })
  .meta({ id: 'SharedView' })
export type SharedView = z.output<typeof sharedView>

export const listSharedViews = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/shared-views',
  tag: 'Traces',
  summary: 'List the shared views and charts of the project, by name',
  access: { by: 'session', of: 'project' },
  cost: 'cheap',
  params: inProject,
  success: { status: 200, data: limitedList(sharedView, 'sharedViews') },
})

const query = z.string().max(limits.viewQueryLength.value)
const inView = inProject.extend({ viewId: pathId })

export const createSharedView = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/shared-views',
  tag: 'Traces',
  summary: 'Share a view or a chart with the project',
  description: 'Each name can be used once for each page of a project.',
  access: { by: 'session', of: 'project', anyOf: ['manage_agents'] },
  cost: 'cheap',
  params: inProject,
  body: appBody(z.object({ page: viewPage, name: label, query })),
  success: { status: 201, data: sharedView },
  errors: ['CONFLICT'],
})

export const replaceSharedView = endpoint({
  method: 'PUT',
  path: '/projects/{projectId}/shared-views/{viewId}',
  tag: 'Traces',
  summary: 'Replace a shared view or chart',
  access: { by: 'session', of: 'project', anyOf: ['manage_agents'] },
  cost: 'cheap',
  params: inView,
  body: appBody(z.object({ name: label, query })),
  success: { status: 200, data: sharedView },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const removeSharedView = endpoint({
  method: 'DELETE',
  path: '/projects/{projectId}/shared-views/{viewId}',
  tag: 'Traces',
  summary: 'Remove a shared view or chart',
  access: { by: 'session', of: 'project', anyOf: ['manage_agents'] },
  cost: 'cheap',
  params: inView,
  success: removed,
  errors: ['NOT_FOUND'],
})
