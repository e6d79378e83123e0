import { hasPermission, type Permission } from '@assay/contract/access.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { directoryQuery, type OrganizationProjects } from '../api/projects.ts'

export interface CurrentOrganization extends OrganizationProjects {
  /** Whether the person's role in the organization holds the permission. */
  readonly can: (permission: Permission) => boolean
}

/** The organization the address names, or undefined where it names none that the person can see. */
export function useOrganization(): CurrentOrganization | undefined {
  const { orgId } = useParams({ strict: false })
  const { data: directory = [] } = useQuery(directoryQuery)
  const entry = directory.find(({ organization }) => organization.id === orgId)
  if (entry === undefined) return undefined
  return { ...entry, can: (permission) => hasPermission(entry.organization.role, permission) }
}
