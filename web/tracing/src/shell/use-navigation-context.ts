import {
  directoryQuery,
  findProject,
  type OrganizationProjects,
  projectToOpen,
} from '@assay/account/api/projects.ts'
import type { Project } from '@assay/contract/organizations.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

export interface NavigationContext extends OrganizationProjects {
  /** Undefined if the organization has none. */
  readonly project: Project | undefined
}

/** The organization and project in the URL, otherwise those used last. */
export function useNavigationContext(): NavigationContext | undefined {
  const { projectId, orgId } = useParams({ strict: false })
  const { data: directory = [] } = useQuery(directoryQuery)
  const project = findProject(directory, projectId ?? '')?.project ?? projectToOpen(directory)
  const currentOrgId = orgId ?? project?.organization_id
  const entry =
    directory.find(({ organization }) => organization.id === currentOrgId) ?? directory[0]
  if (entry === undefined) return undefined
  const isThere = project?.organization_id === entry.organization.id
  return { ...entry, project: isThere ? project : entry.projects[0] }
}
