import { hasPermission, type Permission, type Role } from '@assay/contract/access.ts'

/*
 * A description of each permission.
 */

const labels = {
  view_traces: 'Read traces, members and projects',
  manage_comments: 'Comment on traces',
  manage_agents: 'Edit evaluators and collections, share views and charts',
  run_agents: 'Tag, move, score and review traces, run evaluations',
  manage_metrics: 'Edit alert rules',
  manage_model_keys: 'Add models and their keys, edit prices of projects',
  manage_members: 'Invite and remove members, change their roles',
  manage_org_settings:
    'Edit settings, projects and tracing keys, delete traces, read the audit log',
  manage_sso: 'Configure single sign-on',
  export_rl_data: 'Export trajectories for training',
  manage_billing: 'Manage billing (not used yet)',
} as const satisfies Readonly<Record<Permission, string>>

/** From those of all roles to those of few. */
export const permissions = Object.keys(labels) as readonly Permission[]

export function formatPermission(permission: Permission): string {
  return labels[permission]
}

export interface RoleDifference {
  readonly gained: readonly string[]
  readonly lost: readonly string[]
}

/** The permissions that a change of role adds and removes. */
export function roleDifference(from: Role, to: Role): RoleDifference {
  const only = (one: Role, other: Role) =>
    permissions
      .filter((permission) => hasPermission(one, permission) && !hasPermission(other, permission))
      .map(formatPermission)
  return { gained: only(to, from), lost: only(from, to) }
}
