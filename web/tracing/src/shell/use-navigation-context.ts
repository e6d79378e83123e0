import type { OrganizationProjects } from '@assay/account/api/first-requests.ts'
import { directoryQuery, findProject, projectToOpen } from '@assay/account/api/projects.ts'
import type { Project } from '@assay/contract/organizations.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

export interface NavigationContext extends OrganizationProjects {
  /** Undefined if the organization has none, or if the one in the URL does not exist. */
  readonly project: Project | undefined
}

/** The organization and project in the URL, otherwise those used last. */
export function useNavigationContext(): NavigationContext | undefined {
  const { projectId, orgId } = useParams({ strict: false })
  const { data: directory = [] } = useQuery(directoryQuery)
  const inUrl = findProject(directory, projectId ?? '')?.project
  const project = inUrl ?? projectToOpen(directory)
  const currentOrgId = orgId ?? project?.organization_id
  const entry =
    directory.find(({ organization }) => organization.id === currentOrgId) ?? directory[0]
  if (entry === undefined) return undefined
  // The links of another project would lead elsewhere without saying so.
  if (projectId !== undefined && inUrl === undefined) return { ...entry, project: undefined }
  const isThere = project?.organization_id === entry.organization.id
  return { ...entry, project: isThere ? project : entry.projects[0] }
}
