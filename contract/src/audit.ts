/*
 * What the audit log tells of, as data: every action, the kind of thing it was done to, and the only facts about
 * it that are written. A fact that is not listed is not stored, so that no secret gets there by accident.
 */

export const auditTargets = [
  'service',
  'user',
  'session',
  'organization',
  'project',
  'tracing_key',
  'invite',
  'platform_access',
] as const
export type AuditTarget = (typeof auditTargets)[number]

export const auditActions = {
  'service.set_up': { says: 'set the service up', target: 'user', details: ['email'] },
  'session.started': { says: 'signed in', target: 'user', details: ['method'] },
  'session.refused': { says: 'was refused at sign-in', target: 'user', details: ['reason'] },
  'session.ended': { says: 'signed out', target: 'user', details: [] },
  'organization.created': {
    says: 'created an organization',
    target: 'organization',
    details: ['name', 'slug'],
  },
  'project.created': { says: 'created a project', target: 'project', details: ['name', 'slug'] },
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
} as const satisfies Readonly<Record<string, AuditActionFacts>>

interface AuditActionFacts {
  /** What the actor did, as the middle of a sentence. */
  readonly says: string
  readonly target: AuditTarget
  readonly details: readonly string[]
}

export type AuditAction = keyof typeof auditActions
