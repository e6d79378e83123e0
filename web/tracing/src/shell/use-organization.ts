import { directoryQuery } from '@assay/account/api/projects.ts'
import type { OrganizationAccess } from '@assay/account/shell/organization-access.ts'
import { hasPermission } from '@assay/contract/access.ts'
import type { Project } from '@assay/contract/organizations.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { createContext, use } from 'react'

export interface CurrentOrganization extends OrganizationAccess {
  readonly projects: readonly Project[]
}

/** Provided by `OrganizationFrame`. */
export const OrganizationContext = createContext<CurrentOrganization | undefined>(undefined)

/** The organization of the page. */
export function useOrganization(): CurrentOrganization {
  const current = use(OrganizationContext)
  if (current === undefined) throw new Error('This page is not a page of an organization.')
  return current
}

/** The organization in the URL; undefined if the person has no access. */
export function useOrganizationOfAddress(): CurrentOrganization | undefined {
  const { orgId } = useParams({ strict: false })
  const { data: directory = [] } = useQuery(directoryQuery)
  const entry = directory.find(({ organization }) => organization.id === orgId)
  if (entry === undefined) return undefined
  return { ...entry, can: (permission) => hasPermission(entry.organization.role, permission) }
}
