import { limits } from '@assay/contract/limits.ts'
import {
  createSharedView,
  listSharedViews,
  removeSharedView,
  replaceSharedView,
  type SharedView,
} from '@assay/contract/shared-views.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import { checkListLimit } from '../../accounts/list-limit.ts'
import type { Bind, Call } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { ReadSharedView } from '../../storage/accounts/shared-view-store.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import type { SharedViewRow } from '../../storage/accounts/trace-tables.ts'

/*
 * Views and charts that a project shares.
 */

interface SharedViewsPorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly clock: Clock
}

export function registerSharedViews({ bind, accounts, clock }: SharedViewsPorts): void {
  bind(listSharedViews, async ({ caller: { projectId } }) => {
    const views = await accounts.sharedViews.list(projectId)
    const byName = (a: SharedView, b: SharedView) =>
      a.name.localeCompare(b.name, 'en') || a.page.localeCompare(b.page)
    return views.map(toApiSharedView).sort(byName)
  })

  bind(createSharedView, async ({ caller, client, body }) => {
    const { projectId, user } = caller
    const view: SharedViewRow = {
      ...{ id: newId(), project_id: projectId, ...body },
      ...{ created_by: user.id, created_at: clock.now().toISOString() },
    }
    await accounts.transaction(async (stores) => {
      const { projects, sharedViews } = stores
      await projects.lock(projectId)
      const count = await sharedViews.count(projectId)
      checkListLimit(count, limits.sharedViews, 'A project', 'Delete one first.')
      if (!(await sharedViews.insert(view))) throw nameTaken()
      await record('created', view, { caller, client }, stores)
    })
    return toApiSharedView({ ...view, created_by_name: user.name })
  })

  bind(replaceSharedView, async ({ caller, client, params: { viewId }, body }) =>
    accounts.transaction(async (stores) => {
      const outcome = await stores.sharedViews.replace(caller.projectId, viewId, body)
      if (outcome === 'name_taken') throw nameTaken()
      const view = await stores.sharedViews.find(caller.projectId, viewId)
      if (outcome === 'not_found' || view === undefined) throw notFound()
      await record('updated', view, { caller, client }, stores)
      return toApiSharedView(view)
    }),
  )

  bind(removeSharedView, async ({ caller, client, params: { viewId } }) => {
    await accounts.transaction(async (stores) => {
      const view = await stores.sharedViews.remove(caller.projectId, viewId)
      if (view === undefined) throw notFound()
      await record('removed', view, { caller, client }, stores)
    })
    return { status: 'removed' as const }
  })

  function record(
    change: 'created' | 'updated' | 'removed',
    { id: targetId, project_id, page, name }: SharedViewRow,
    { caller, client }: Pick<Call<typeof removeSharedView>, 'caller' | 'client'>,
    stores: AccountStores,
  ): Promise<void> {
    const { organizationId, user } = caller
    const details = { project_id, page, name }
    const event = { action: `shared_view.${change}`, organizationId, targetId, details } as const
    return recordEvent(event, userActor(user, client), clock.now().toISOString(), stores)
  }
}

const nameTaken = () => new Failure('CONFLICT', 'The project already shares one with this name.')
const notFound = () => new Failure('NOT_FOUND', 'Shared view not found.')

function toApiSharedView(view: ReadSharedView): SharedView {
  const { id, page, name, query, created_by_name: created_by, created_at } = view
  return { id, page, name, query, created_by, created_at }
}
