import type { AnonymousBounds } from './anonymous-bounds.ts'

/*
 * Who may call an endpoint, as data. Source: interface specification, "Roles and permissions".
 */

export const roles = ['Owner', 'Admin', 'Editor', 'Viewer'] as const
export type Role = (typeof roles)[number]

/** The roles that have each permission. Super admins act as Owners. */
export const permissionHolders = {
  manage_org_settings: ['Owner', 'Admin'],
  manage_members: ['Owner', 'Admin'],
  manage_sso: ['Owner', 'Admin'],
  manage_model_keys: ['Owner', 'Admin', 'Editor'],
  manage_agents: ['Owner', 'Admin', 'Editor'],
  run_agents: ['Owner', 'Admin', 'Editor'],
  manage_metrics: ['Owner', 'Admin', 'Editor'],
  view_traces: ['Owner', 'Admin', 'Editor', 'Viewer'],
  manage_comments: ['Owner', 'Admin', 'Editor', 'Viewer'],
  export_rl_data: ['Owner', 'Admin'],
  manage_billing: ['Owner'],
} as const satisfies Readonly<Record<string, readonly Role[]>>

export type Permission = keyof typeof permissionHolders

export function hasPermission(role: Role, permission: Permission): boolean {
  return (permissionHolders[permission] as readonly Role[]).includes(role)
}

/** A member can assign roles up to their own; only Owners can change Owners. */
export function canAssignRole(assigner: Role, role: Role): boolean {
  return roles.indexOf(assigner) <= roles.indexOf(role)
}

/**
 * The caller must be a member of `of`: the organization or project in the path (`{orgId}`, `{projectId}`). With
 * `anyOf`, one of these permissions is required as well. `platform` is for super admins only.
 */
export type Access =
  | { readonly by: 'anonymous'; readonly bounds: AnonymousBounds }
  | { readonly by: 'tracing-key' }
  | { readonly by: 'session' }
  | { readonly by: 'session'; readonly of: 'platform' }
  | {
      readonly by: 'session'
      readonly of: 'organization' | 'project'
      readonly anyOf?: readonly Permission[]
    }
