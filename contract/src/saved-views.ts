import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { appBody, id, inProject, label, limitedList, pathId, removed, timestamp } from './fields.ts'
import { limits } from './limits.ts'

export const viewPage = z.enum(['traces', 'dashboard'])

/** A filtered trace list, or the charts of a dashboard, that a user has saved. Views are private to their user. */
export const savedView = z
  .object({
    id,
    page: viewPage,
    name: z.string(),
    query: z.string().describe('the query string of the page, without the question mark'),
    created_at: timestamp,
  })
  .meta({ id: 'SavedView' })
export type SavedView = z.output<typeof savedView>

export const listSavedViews = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/views',
  tag: 'Traces',
  summary: 'List your saved views, by name',
  access: { by: 'session', of: 'project' },
  cost: 'cheap',
  params: inProject,
  success: { status: 200, data: limitedList(savedView, 'viewsPerPerson') },
})

const view = z.object({ name: label, query: z.string().max(limits.viewQueryLength.value) })
const inView = inProject.extend({ viewId: pathId })

export const createSavedView = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/views',
  tag: 'Traces',
  summary: 'Save a view for yourself',
  description: 'Each name can be used once for each page of a project.',
  access: { by: 'session', of: 'project' },
  cost: 'cheap',
  params: inProject,
  body: appBody(view.extend({ page: viewPage.default('traces') })),
  success: { status: 201, data: savedView },
  errors: ['CONFLICT'],
})

export const replaceSavedView = endpoint({
  method: 'PUT',
  path: '/projects/{projectId}/views/{viewId}',
  tag: 'Traces',
  summary: 'Replace one of your saved views',
  access: { by: 'session', of: 'project' },
  cost: 'cheap',
  params: inView,
  body: appBody(view),
  success: { status: 200, data: savedView },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const removeSavedView = endpoint({
  method: 'DELETE',
  path: '/projects/{projectId}/views/{viewId}',
  tag: 'Traces',
  summary: 'Remove one of your saved views',
  access: { by: 'session', of: 'project' },
  cost: 'cheap',
  params: inView,
  success: removed,
  errors: ['NOT_FOUND'],
})
