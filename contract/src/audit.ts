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
  'encryption_key',
] as const
export type AuditTarget = (typeof auditTargets)[number]

export const auditActions = {
  'service.set_up': { label: 'set up the service', target: 'user', details: ['email'] },
  'session.started': {
    label: 'signed in',
    target: 'user',
    details: ['method'],
    countedBy: ['method'],
  },
  'session.refused': {
    label: 'was refused at sign-in',
    target: 'user',
    details: ['reason'],
    countedBy: ['target', 'reason'],
  },
  'session.ended': { label: 'signed out', target: 'user', details: [], countedBy: [] },
  'session.revoked': { label: 'ended a session', target: 'session', details: [], countedBy: [] },
  'session.others_revoked': {
    label: 'ended all other sessions',
    target: 'user',
    details: ['count'],
    countedBy: [],
  },
  'session.handed_over': {
    label: 'opened Assay Chat or Tracing',
    target: 'user',
    details: ['product'],
    countedBy: ['product'],
  },
  'user.created': { label: 'created an account', target: 'user', details: ['email', 'way'] },
  'user.renamed': { label: 'changed a name', target: 'user', details: ['name'], countedBy: [] },
  'user.email_marked_verified': {
    label: 'marked an address as verified',
    target: 'user',
    details: ['email'],
  },
  'user.disabled': { label: 'disabled an account', target: 'user', details: ['email'] },
  'user.enabled': { label: 'enabled an account', target: 'user', details: ['email'] },
  'password.changed': {
    label: 'changed their password',
    target: 'user',
    details: [],
    countedBy: [],
  },
  'password.link_made': {
    label: 'requested a password link',
    target: 'user',
    details: ['by_mail'],
    countedBy: ['target', 'by_mail'],
  },
  'password.reset': {
    label: 'set a password with a link',
    target: 'user',
    details: ['by_mail'],
    countedBy: ['target', 'by_mail'],
  },
  'super_admin.granted': {
    label: 'made a person super admin',
    target: 'user',
    details: ['email'],
  },
  'super_admin.revoked': {
    label: 'removed super admin rights from a person',
    target: 'user',
    details: ['email'],
  },
  'platform_access.added': {
    label: 'approved an address or domain',
    target: 'platform_access',
    details: ['pattern'],
  },
  'platform_access.removed': {
    label: 'removed an approval',
    target: 'platform_access',
    details: ['pattern'],
  },
  'sso_config.saved': {
    label: 'changed single sign-on',
    target: 'sso_config',
    // Which members changed, not what to.
    details: ['protocol', 'changed', 'domains', 'enforced'],
  },
  'sso_config.removed': {
    label: 'removed single sign-on',
    target: 'sso_config',
    details: ['protocol'],
  },
  'sso_config.tested': {
    label: 'tested single sign-on',
    target: 'sso_config',
    details: ['outcome'],
    countedBy: ['target', 'outcome'],
  },
  'sso_domain.verified': {
    label: 'verified a domain',
    target: 'sso_config',
    details: ['domain', 'method'],
  },
  'sso_identity.linked': {
    label: 'linked an account to single sign-on',
    target: 'user',
    details: ['email', 'way'],
  },
  'master_key.rotated': {
    label: 'rotated the key of the stored secrets',
    target: 'master_key',
    details: ['secrets'],
  },
  'model_config.created': {
    label: 'added a model',
    target: 'model_config',
    details: ['label', 'provider', 'model', 'base_url'],
    countedBy: ['provider'],
  },
  'model_config.updated': {
    label: 'changed a model',
    target: 'model_config',
    // Which members changed, for the key not what to.
    details: ['label', 'provider', 'model', 'base_url', 'changed'],
    countedBy: ['target'],
  },
  'model_config.removed': {
    label: 'deleted a model',
    target: 'model_config',
    details: ['label', 'provider', 'model'],
    countedBy: ['provider'],
  },
  'model_config.tested': {
    label: 'tested a model',
    target: 'model_config',
    details: ['label', 'outcome'],
    countedBy: ['target', 'outcome'],
  },
  'organization.created': {
    label: 'created an organization',
    target: 'organization',
    details: ['name', 'slug'],
  },
  'organization.renamed': {
    label: 'renamed the organization',
    target: 'organization',
    details: ['name'],
  },
  'member.added': { label: 'added a member', target: 'user', details: ['email', 'role'] },
  'member.role_changed': {
    label: "changed a member's role",
    target: 'user',
    details: ['email', 'from', 'to'],
  },
  'member.removed': { label: 'removed a member', target: 'user', details: ['email', 'role'] },
  'invite.created': { label: 'invited an address', target: 'invite', details: ['email', 'role'] },
  'invite.revoked': { label: 'revoked an invite', target: 'invite', details: ['email', 'role'] },
  'invite.accepted': { label: 'accepted an invite', target: 'invite', details: ['email', 'role'] },
  'audit_log.exported': {
    label: 'exported the audit log',
    target: 'organization',
    details: [],
    countedBy: [],
  },
  'project.created': { label: 'created a project', target: 'project', details: ['name', 'slug'] },
  'project.updated': {
    label: 'changed a project',
    target: 'project',
    details: ['name', 'retention_days', 'encrypted_history'],
  },
  'project.removed': {
    label: 'deleted a project',
    target: 'project',
    details: ['name', 'slug'],
  },
  'chat_message.sent_anyway': {
    label: 'sent a chat message that was held back',
    target: 'project',
    // How many of each type, never a value.
    details: ['types'],
    countedBy: ['target'],
  },
  'tracing_key.created': {
    label: 'created a tracing key',
    target: 'tracing_key',
    details: ['project_id', 'environment', 'key_hint'],
  },
  'tracing_key.revoked': {
    label: 'revoked a tracing key',
    target: 'tracing_key',
    details: ['project_id'],
  },
  'traces.exported': {
    label: 'exported traces',
    target: 'project',
    details: [],
    countedBy: ['target'],
  },
  'trace.removed': {
    label: 'deleted a trace',
    target: 'trace',
    details: ['project_id'],
    countedBy: ['project_id'],
  },
  'trace.adopted': {
    label: 'moved a trace from another project',
    target: 'trace',
    details: ['project_id', 'from_project_id'],
    countedBy: ['project_id', 'from_project_id'],
  },
  'price.created': {
    label: 'set a price or an alias',
    target: 'price',
    details: ['project_id', 'kind', 'model', 'terms'],
    countedBy: ['project_id', 'kind'],
  },
  'price.updated': {
    label: 'changed a price or an alias',
    target: 'price',
    details: ['project_id', 'kind', 'model', 'terms'],
    countedBy: ['project_id', 'kind'],
  },
  'price.removed': {
    label: 'deleted a price or an alias',
    target: 'price',
    details: ['project_id', 'kind', 'model', 'terms'],
    countedBy: ['project_id', 'kind'],
  },
  'prices.repriced': {
    label: 'started recalculating costs',
    target: 'project',
    details: ['from', 'to'],
    countedBy: ['target'],
  },
  'traces.evaluated': {
    label: 'started evaluating traces',
    target: 'project',
    details: ['collection_id', 'model_config_id', 'max_traces', 'max_cost_usd'],
    countedBy: ['target'],
  },
  'evaluator.created': {
    label: 'created an evaluator',
    target: 'evaluator',
    details: ['name'],
    countedBy: [],
  },
  'evaluator.updated': {
    label: 'changed an evaluator',
    target: 'evaluator',
    details: ['name'],
    countedBy: ['target'],
  },
  'evaluator.removed': {
    label: 'deleted an evaluator',
    target: 'evaluator',
    details: ['name'],
    countedBy: [],
  },
  'evaluator_collection.created': {
    label: 'created an evaluator collection',
    target: 'evaluator_collection',
    details: ['name'],
    countedBy: [],
  },
  'evaluator_collection.updated': {
    label: 'changed an evaluator collection',
    target: 'evaluator_collection',
    details: ['name'],
    countedBy: ['target'],
  },
  'evaluator_collection.removed': {
    label: 'deleted an evaluator collection',
    target: 'evaluator_collection',
    details: ['name'],
    countedBy: [],
  },
  'evaluation_rule.created': {
    label: 'created an evaluation rule',
    target: 'evaluation_rule',
    details: ['project_id', 'name'],
    countedBy: ['project_id'],
  },
  'evaluation_rule.updated': {
    label: 'changed an evaluation rule',
    target: 'evaluation_rule',
    details: ['project_id', 'name', 'changed'],
    countedBy: ['target'],
  },
  'evaluation_rule.removed': {
    label: 'deleted an evaluation rule',
    target: 'evaluation_rule',
    details: ['project_id', 'name'],
    countedBy: ['project_id'],
  },
  'encryption_key.enrolled': {
    label: 'enrolled a device for encrypted history',
    target: 'encryption_key',
    details: ['label'],
  },
  'encryption_key.recovery_added': {
    label: 'added a recovery key for encrypted history',
    target: 'encryption_key',
    details: ['label'],
  },
  'encryption_key.rotated': {
    label: 'replaced the encryption keys of a device',
    target: 'encryption_key',
    details: ['label'],
  },
  'encryption_key.revoked': {
    label: 'revoked a device or recovery key',
    target: 'encryption_key',
    details: ['label'],
  },
  'encryption_key.reset': {
    label: 'reset their encryption keys',
    target: 'encryption_key',
    details: ['label'],
  },
  'job.cancelled': {
    label: 'canceled a background job',
    target: 'job',
    details: ['project_id', 'kind'],
    countedBy: ['project_id', 'kind'],
  },
} as const satisfies Readonly<Record<string, AuditActionFacts>>

interface AuditActionFacts {
  /** What the actor did, as the middle of a sentence. */
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
