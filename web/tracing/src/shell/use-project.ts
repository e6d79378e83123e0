import { hasPermission, type Permission } from '@assay/contract/access.ts'
import type { Organization, Project } from '@assay/contract/organizations.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { directoryQuery, findProject } from '../api/projects.ts'

export interface CurrentProject {
  readonly organization: Organization
  readonly project: Project
  /** Whether the person's role in the organization holds the permission. */
  readonly can: (permission: Permission) => boolean
}

/** The project the address names, or undefined where it names none that the person can see. */
export function useProject(): CurrentProject | undefined {
  const { projectId } = useParams({ strict: false })
  const { data: directory } = useQuery(directoryQuery)
  if (directory === undefined || projectId === undefined) return undefined
  const found = findProject(directory, projectId)
  if (found === undefined) return undefined
  return { ...found, can: (permission) => hasPermission(found.organization.role, permission) }
}
