import { limits } from '@assay/contract/limits.ts'
import {
  createSavedView,
  listSavedViews,
  removeSavedView,
  replaceSavedView,
  type SavedView,
} from '@assay/contract/saved-views.ts'
import { checkListLimit } from '../../accounts/list-limit.ts'
import type { Bind } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { SavedViewRow } from '../../storage/accounts/trace-tables.ts'
import { registerSharedViews } from './shared-routes.ts'

export interface SavedViewsPorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly clock: Clock
}

export function registerSavedViews(ports: SavedViewsPorts): void {
  const { bind, accounts, clock } = ports
  registerSharedViews(ports)

  bind(listSavedViews, async ({ caller: { projectId, user } }) => {
    const views = await accounts.savedViews.list(projectId, user.id)
    const byName = (a: SavedView, b: SavedView) =>
      a.name.localeCompare(b.name, 'en') || a.page.localeCompare(b.page)
    return views.map(toApiSavedView).sort(byName)
  })

  bind(createSavedView, async ({ caller: { projectId, user }, body }) => {
    const view: SavedViewRow = {
      id: newId(),
      project_id: projectId,
      user_id: user.id,
      ...body,
      created_at: clock.now().toISOString(),
    }
    await accounts.transaction(async ({ users, savedViews }) => {
      await users.lock(user.id)
      const count = await savedViews.count(projectId, user.id)
      checkListLimit(count, limits.viewsPerPerson, 'A user', 'Delete one first.')
      if (!(await savedViews.insert(view))) {
        throw nameTaken()
      }
    })
    return toApiSavedView(view)
  })

  bind(replaceSavedView, async ({ caller: { projectId, user }, params, body }) => {
    const replaced = await accounts.savedViews.replace(projectId, user.id, params.viewId, body)
    if (replaced === undefined) throw viewNotFound()
    if (replaced === 'name_taken') throw nameTaken()
    return toApiSavedView(replaced)
  })

  bind(removeSavedView, async ({ caller: { projectId, user }, params }) => {
    const isRemoved = await accounts.savedViews.remove(projectId, user.id, params.viewId)
    if (!isRemoved) throw viewNotFound()
    return { status: 'removed' as const }
  })
}

const nameTaken = () => new Failure('CONFLICT', 'You already have a view with this name.')
const viewNotFound = () => new Failure('NOT_FOUND', 'View not found.')

function toApiSavedView({ id, page, name, query, created_at }: SavedViewRow): SavedView {
  return { id, page, name, query, created_at }
}
