import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { appBody, id, inProject, label, limitedList, pathId, removed, timestamp } from './fields.ts'
import { limits } from './limits.ts'

/** A filtered trace list that a user has saved. Views are private to their user. */
export const savedView = z
  .object({
    id,
    name: z.string(),
    query: z.string().describe('the query string of the list, without the question mark'),
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

const viewBody = appBody(
  z.object({ name: label, query: z.string().max(limits.viewQueryLength.value) }),
)
const inView = inProject.extend({ viewId: pathId })

export const createSavedView = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/views',
  tag: 'Traces',
  summary: 'Save a view for yourself',
  access: { by: 'session', of: 'project' },
  cost: 'cheap',
  params: inProject,
  body: viewBody,
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
  body: viewBody,
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
