import type { Project } from '@assay/contract/organizations.ts'
import { newId } from '../platform/ids.ts'
import type { Timestamp } from '../storage/accounts/column-types.ts'
import type { ProjectRow } from '../storage/accounts/people-tables.ts'
import type { AuditEvent } from './audit.ts'
import { hashOfKey, newKeyText } from './tracing-key.ts'

export interface NewProject {
  readonly row: ProjectRow
  /** The built-in key of the project: never listed, not revocable, shown at most once. */
  readonly legacyKey: string
}

export function newProject(
  organizationId: string,
  name: string,
  slug: string,
  at: Timestamp,
): NewProject {
  const legacyKey = newKeyText('tk_live_')
  const row: ProjectRow = {
    id: newId(),
    organization_id: organizationId,
    name,
    slug,
    legacy_key_hash: hashOfKey(legacyKey),
    retention_days: null,
    encrypted_history: 'off',
    created_at: at,
  }
  return { row, legacyKey }
}

export function projectCreated({ id, organization_id, name, slug }: ProjectRow): AuditEvent {
  return {
    action: 'project.created',
    organizationId: organization_id,
    targetId: id,
    details: { name, slug },
  }
}

export function toApiProject(project: ProjectRow): Project {
  const { id, organization_id, name, slug, created_at, retention_days, encrypted_history } = project
  return { id, organization_id, name, slug, created_at, retention_days, encrypted_history }
}
