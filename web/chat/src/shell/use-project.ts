import type { OrganizationProjects } from '@assay/account/api/first-requests.ts'
import { directoryQuery } from '@assay/account/api/projects.ts'
import type { OrganizationAccess } from '@assay/account/shell/organization-access.ts'
import { hasPermission } from '@assay/contract/access.ts'
import type { Project } from '@assay/contract/organizations.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { createContext, use } from 'react'

export interface CurrentProject extends OrganizationAccess {
  readonly project: Project
}

/** Provided by `ProjectFrame`. */
export const ProjectContext = createContext<CurrentProject | undefined>(undefined)

/** The project of the page. */
export function useProject(): CurrentProject {
  const current = use(ProjectContext)
  if (current === undefined) throw new Error('This page is not a page of a project.')
  return current
}

/** The project in the URL; undefined if the person has no access. */
export function useProjectOfAddress(): CurrentProject | undefined {
  const { orgSlug, projectSlug } = useParams({ strict: false })
  const { data: directory = [] } = useQuery(directoryQuery)
  const entry = findOrganization(directory, orgSlug)
  const project = entry?.projects.find(({ slug }) => slug === projectSlug)
  if (entry === undefined || project === undefined) return undefined
  const { organization } = entry
  return {
    organization,
    project,
    can: (permission) => hasPermission(organization.role, permission),
  }
}

function findOrganization(
  directory: readonly OrganizationProjects[],
  orgSlug: string | undefined,
): OrganizationProjects | undefined {
  return directory.find(({ organization }) => organization.slug === orgSlug)
}
