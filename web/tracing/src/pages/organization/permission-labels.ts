import { hasPermission, type Permission, type Role } from '@assay/contract/access.ts'

/*
 * What each permission lets a person do, in words.
 */

const words = {
  view_traces: 'Read traces, members and projects',
  manage_comments: 'Comment on traces',
  manage_agents: 'Make and change evaluators and collections, adopt traces',
  run_agents: 'Run evaluations, simulations and synthetic set-up',
  manage_metrics: 'Change metrics',
  manage_model_keys: 'Change model keys',
  manage_members: 'Invite and remove people, change their roles',
  manage_org_settings: 'Change settings, projects and tracing keys, read the audit log',
  manage_sso: 'Set up single sign-on',
  export_rl_data: 'Export trajectories for training',
  manage_billing: 'Manage billing',
} as const satisfies Readonly<Record<Permission, string>>

/** From what everybody may do to what only few may. */
export const permissions = Object.keys(words) as readonly Permission[]

export function formatPermission(permission: Permission): string {
  return words[permission]
}

export interface RoleDifference {
  readonly gained: readonly string[]
  readonly lost: readonly string[]
}

/** What a person may do with another role that they may not now, and the other way round. */
export function roleDifference(from: Role, to: Role): RoleDifference {
  const only = (one: Role, other: Role) =>
    permissions
      .filter((permission) => hasPermission(one, permission) && !hasPermission(other, permission))
      .map(formatPermission)
  return { gained: only(to, from), lost: only(from, to) }
}
