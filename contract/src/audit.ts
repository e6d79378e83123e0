import { analysisActions } from './audit-analysis.ts'

/*
 * The actions of the audit log as data: label, kind of target, and the details to store. Other details are
 * not stored, so that no secret gets in by accident.
 */

export const auditTargets = [
  'user',
  'session',
  'organization',
  'project',
  'tracing_key',
  'price',
  'trace',
  'job',
  'invite',
  'platform_access',
  'sso_config',
  'model_config',
  'master_key',
  'evaluator',
  'evaluator_collection',
  'evaluation_rule',
  'alert_rule',
  'review_queue',
  'shared_view',
  'encryption_key',
] as const
export type AuditTarget = (typeof auditTargets)[number]

export const auditActions = {
  'service.set_up': { label: 'Setup completed', target: 'user', details: ['email'] },
  'session.started': {
    label: 'Signed in',
    target: 'user',
    details: ['method'],
    countedBy: ['method'],
  },
  'session.refused': {
    label: 'Sign-in refused',
    target: 'user',
    details: ['reason'],
    countedBy: ['target', 'reason'],
  },
  'session.ended': { label: 'Signed out', target: 'user', details: [], countedBy: [] },
  'session.revoked': { label: 'Session ended', target: 'session', details: [], countedBy: [] },
  'session.others_revoked': {
    label: 'Other sessions ended',
    target: 'user',
    details: ['count'],
    countedBy: [],
  },
  'session.handed_over': {
    label: 'Session transferred',
    target: 'user',
    details: ['product'],
    countedBy: ['product'],
  },
  'user.created': { label: 'Account created', target: 'user', details: ['email', 'way'] },
  'user.renamed': { label: 'Account renamed', target: 'user', details: ['name'], countedBy: [] },
  'user.email_marked_verified': {
    label: 'E-mail address marked as verified',
    target: 'user',
    details: ['email'],
  },
  'user.disabled': { label: 'Account disabled', target: 'user', details: ['email'] },
  'user.enabled': { label: 'Account enabled', target: 'user', details: ['email'] },
  'password.changed': {
    label: 'Password changed',
    target: 'user',
    details: [],
    countedBy: [],
  },
  'password.link_made': {
    label: 'Password link requested',
    target: 'user',
    details: ['by_mail'],
    countedBy: ['target', 'by_mail'],
  },
  'password.reset': {
    label: 'Password reset',
    target: 'user',
    details: ['by_mail'],
    countedBy: ['target', 'by_mail'],
  },
  'super_admin.granted': {
    label: 'Super admin granted',
    target: 'user',
    details: ['email'],
  },
  'super_admin.revoked': {
    label: 'Super admin revoked',
    target: 'user',
    details: ['email'],
  },
  'platform_access.added': {
    label: 'Approval added',
    target: 'platform_access',
    details: ['pattern'],
  },
  'platform_access.removed': {
    label: 'Approval revoked',
    target: 'platform_access',
    details: ['pattern'],
  },
  'sso_config.saved': {
    label: 'Single sign-on changed',
    target: 'sso_config',
    // Which members changed, not what to.
    details: ['protocol', 'changed', 'domains', 'enforced'],
  },
  'sso_config.removed': {
    label: 'Single sign-on removed',
    target: 'sso_config',
    details: ['protocol'],
  },
  'sso_config.tested': {
    label: 'Single sign-on tested',
    target: 'sso_config',
    details: ['outcome'],
    countedBy: ['target', 'outcome'],
  },
  'sso_domain.verified': {
    label: 'Domain verified',
    target: 'sso_config',
    details: ['domain', 'method'],
  },
  'sso_identity.linked': {
    label: 'Account linked to single sign-on',
    target: 'user',
    details: ['email', 'way'],
  },
  'master_key.rotated': {
    label: 'Master secret rotated',
    target: 'master_key',
    details: ['secrets'],
  },
  'model_config.created': {
    label: 'Model added',
    target: 'model_config',
    details: ['label', 'provider', 'model', 'base_url'],
    countedBy: ['provider'],
  },
  'model_config.updated': {
    label: 'Model changed',
    target: 'model_config',
    // Which members changed, for the key not what to.
    details: ['label', 'provider', 'model', 'base_url', 'changed'],
    countedBy: ['target'],
  },
  'model_config.removed': {
    label: 'Model deleted',
    target: 'model_config',
    details: ['label', 'provider', 'model'],
    countedBy: ['provider'],
  },
  'model_config.tested': {
    label: 'Model tested',
    target: 'model_config',
    details: ['label', 'outcome'],
    countedBy: ['target', 'outcome'],
  },
  'organization.created': {
    label: 'Organization created',
    target: 'organization',
    details: ['name', 'slug'],
  },
  'organization.renamed': {
    label: 'Organization renamed',
    target: 'organization',
    details: ['name'],
  },
  'member.added': { label: 'Member added', target: 'user', details: ['email', 'role'] },
  'member.role_changed': {
    label: 'Member role changed',
    target: 'user',
    details: ['email', 'from', 'to'],
  },
  'member.removed': { label: 'Member removed', target: 'user', details: ['email', 'role'] },
  'invite.created': { label: 'Invite created', target: 'invite', details: ['email', 'role'] },
  'invite.revoked': { label: 'Invite revoked', target: 'invite', details: ['email', 'role'] },
  'invite.accepted': { label: 'Invite accepted', target: 'invite', details: ['email', 'role'] },
  'audit_log.exported': {
    label: 'Audit log exported',
    target: 'organization',
    details: [],
    countedBy: [],
  },
  'project.created': { label: 'Project created', target: 'project', details: ['name', 'slug'] },
  'project.updated': {
    label: 'Project changed',
    target: 'project',
    details: ['name', 'retention_days', 'encrypted_history'],
  },
  'project.removed': {
    label: 'Project deleted',
    target: 'project',
    details: ['name', 'slug'],
  },
  'chat_message.sent_anyway': {
    label: 'Chat message sent despite findings',
    target: 'project',
    // How many of each type, never a value.
    details: ['types'],
    countedBy: ['target'],
  },
  'tracing_key.created': {
    label: 'Tracing key created',
    target: 'tracing_key',
    details: ['project_id', 'name', 'environment', 'key_hint'],
  },
  'tracing_key.revoked': {
    label: 'Tracing key revoked',
    target: 'tracing_key',
    details: ['project_id'],
  },
  'traces.exported': {
    label: 'Traces exported',
    target: 'project',
    details: [],
    countedBy: ['target'],
  },
  'trace.tags_changed': {
    label: 'Tags of traces changed',
    target: 'project',
    details: ['added', 'removed', 'traces'],
    countedBy: ['target', 'added', 'removed'],
  },
  'trace.removed': {
    label: 'Trace deleted',
    target: 'trace',
    details: ['project_id'],
    countedBy: ['project_id'],
  },
  'trace.adopted': {
    label: 'Trace moved from another project',
    target: 'trace',
    details: ['project_id', 'from_project_id'],
    countedBy: ['project_id', 'from_project_id'],
  },
  'price.created': {
    label: 'Custom price or alias created',
    target: 'price',
    details: ['project_id', 'kind', 'model', 'terms'],
    countedBy: ['project_id', 'kind'],
  },
  'price.updated': {
    label: 'Custom price or alias changed',
    target: 'price',
    details: ['project_id', 'kind', 'model', 'terms'],
    countedBy: ['project_id', 'kind'],
  },
  'price.removed': {
    label: 'Custom price or alias deleted',
    target: 'price',
    details: ['project_id', 'kind', 'model', 'terms'],
    countedBy: ['project_id', 'kind'],
  },
  'prices.repriced': {
    label: 'Cost recalculation started',
    target: 'project',
    details: ['from', 'to'],
    countedBy: ['target'],
  },
  ...analysisActions,
  'encryption_key.enrolled': {
    label: 'Device enrolled for encrypted history',
    target: 'encryption_key',
    details: ['label'],
  },
  'encryption_key.recovery_added': {
    label: 'Recovery key added',
    target: 'encryption_key',
    details: ['label'],
  },
  'encryption_key.rotated': {
    label: 'Encryption keys of a device replaced',
    target: 'encryption_key',
    details: ['label'],
  },
  'encryption_key.revoked': {
    label: 'Device or recovery key revoked',
    target: 'encryption_key',
    details: ['label'],
  },
  'encryption_key.reset': {
    label: 'Encryption keys reset',
    target: 'encryption_key',
    details: ['label'],
  },
  'job.cancelled': {
    label: 'Background job canceled',
    target: 'job',
    details: ['project_id', 'kind'],
    countedBy: ['project_id', 'kind'],
  },
} as const satisfies Readonly<Record<string, AuditActionFacts>>

interface AuditActionFacts {
  /** What happened: `Member added`. */
  readonly label: string
  readonly target: AuditTarget
  readonly details: readonly string[]
  /**
   * Of actions that a caller can repeat without end. Beyond a number a day, events are counted in one entry if they
   * have the same actor, client network and these values. Changes to people, roles, keys and settings always have
   * their own entries.
   */
  readonly countedBy?: readonly string[]
}

export function countedBy(action: AuditAction): readonly string[] | undefined {
  const facts: AuditActionFacts = auditActions[action]
  return facts.countedBy
}

export type AuditAction = keyof typeof auditActions
