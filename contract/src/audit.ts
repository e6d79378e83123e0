/*
 * What the audit log tells of, as data: every action, the kind of thing it was done to, and the only facts about
 * it that are written. A fact that is not listed is not stored, so that no secret gets there by accident.
 */

export const auditTargets = [
  'user',
  'session',
  'organization',
  'project',
  'tracing_key',
  'price',
  'trace',
  'invite',
  'platform_access',
  'sso_config',
  'master_key',
] as const
export type AuditTarget = (typeof auditTargets)[number]

export const auditActions = {
  'service.set_up': { says: 'set the service up', target: 'user', details: ['email'] },
  'session.started': { says: 'signed in', target: 'user', details: ['method'] },
  'session.refused': { says: 'was refused at sign-in', target: 'user', details: ['reason'] },
  'session.ended': { says: 'signed out', target: 'user', details: [] },
  'session.revoked': { says: 'ended a session', target: 'session', details: [] },
  'session.others_revoked': {
    says: 'ended all other sessions',
    target: 'user',
    details: ['count'],
  },
  'session.handed_over': {
    says: 'went over to the other product',
    target: 'user',
    details: ['product'],
  },
  'user.created': { says: 'created an account', target: 'user', details: ['email', 'way'] },
  'user.renamed': { says: 'changed a name', target: 'user', details: ['name'] },
  'user.disabled': { says: 'disabled a person', target: 'user', details: ['email'] },
  'user.enabled': { says: 'enabled a person', target: 'user', details: ['email'] },
  'password.changed': { says: 'changed their password', target: 'user', details: [] },
  'password.link_made': {
    says: 'asked for a link to choose a password',
    target: 'user',
    details: ['by_mail'],
  },
  'password.reset': { says: 'chose a password by a link', target: 'user', details: ['by_mail'] },
  'super_admin.granted': {
    says: 'made a person super admin',
    target: 'user',
    details: ['email'],
  },
  'super_admin.revoked': {
    says: 'made a super admin an ordinary person',
    target: 'user',
    details: ['email'],
  },
  'platform_access.added': {
    says: 'approved an address or domain',
    target: 'platform_access',
    details: ['pattern'],
  },
  'platform_access.removed': {
    says: 'took an approval back',
    target: 'platform_access',
    details: ['pattern'],
  },
  'sso_config.saved': {
    says: 'changed the single sign-on',
    target: 'sso_config',
    // Which members changed, not what to.
    details: ['protocol', 'changed', 'domains', 'enforced'],
  },
  'sso_config.removed': {
    says: 'removed the single sign-on',
    target: 'sso_config',
    details: ['protocol'],
  },
  'sso_config.tested': {
    says: 'tested the single sign-on',
    target: 'sso_config',
    details: ['outcome'],
  },
  'sso_domain.verified': {
    says: 'verified a domain',
    target: 'sso_config',
    details: ['domain', 'method'],
  },
  'sso_identity.linked': {
    says: 'became known to single sign-on',
    target: 'user',
    details: ['email', 'way'],
  },
  'master_key.rotated': {
    says: 'changed the key of the stored secrets',
    target: 'master_key',
    details: ['secrets'],
  },
  'organization.created': {
    says: 'created an organization',
    target: 'organization',
    details: ['name', 'slug'],
  },
  'organization.renamed': {
    says: 'renamed the organization',
    target: 'organization',
    details: ['name'],
  },
  'member.added': { says: 'added a member', target: 'user', details: ['email', 'role'] },
  'member.role_changed': {
    says: "changed a member's role",
    target: 'user',
    details: ['email', 'from', 'to'],
  },
  'member.removed': { says: 'removed a member', target: 'user', details: ['email', 'role'] },
  'invite.created': { says: 'invited an address', target: 'invite', details: ['email', 'role'] },
  'invite.revoked': { says: 'revoked an invite', target: 'invite', details: ['email', 'role'] },
  'invite.accepted': { says: 'accepted an invite', target: 'invite', details: ['email', 'role'] },
  'audit_log.exported': {
    says: 'exported the audit log',
    target: 'organization',
    details: [],
  },
  'project.created': { says: 'created a project', target: 'project', details: ['name', 'slug'] },
  'project.updated': {
    says: 'changed a project',
    target: 'project',
    details: ['name', 'retention_days'],
  },
  'project.removed': {
    says: 'removed a project with its telemetry',
    target: 'project',
    details: ['name', 'slug'],
  },
  'tracing_key.created': {
    says: 'created a tracing key',
    target: 'tracing_key',
    details: ['project_id', 'environment', 'key_hint'],
  },
  'tracing_key.revoked': {
    says: 'revoked a tracing key',
    target: 'tracing_key',
    details: ['project_id'],
  },
  'traces.exported': { says: 'exported traces', target: 'project', details: [] },
  'trace.removed': { says: 'removed a trace', target: 'trace', details: ['project_id'] },
  'trace.adopted': {
    says: 'took a trace over from another project',
    target: 'trace',
    details: ['project_id', 'from_project_id'],
  },
  'price.created': {
    says: 'set a price or an alias',
    target: 'price',
    details: ['project_id', 'kind', 'model', 'terms'],
  },
  'price.updated': {
    says: 'changed a price or an alias',
    target: 'price',
    details: ['project_id', 'kind', 'model', 'terms'],
  },
  'price.removed': {
    says: 'removed a price or an alias',
    target: 'price',
    details: ['project_id', 'kind', 'model', 'terms'],
  },
  'prices.repriced': {
    says: 'had stored spans priced anew',
    target: 'project',
    details: ['from', 'to'],
  },
  'prices.repricing_cancelled': {
    says: 'stopped pricing anew',
    target: 'project',
    details: [],
  },
} as const satisfies Readonly<Record<string, AuditActionFacts>>

interface AuditActionFacts {
  /** What the actor did, as the middle of a sentence. */
  readonly says: string
  readonly target: AuditTarget
  readonly details: readonly string[]
}

export type AuditAction = keyof typeof auditActions
