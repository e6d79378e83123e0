import { call } from '@assay/contract/client.ts'
import type { ProjectSlugs } from '@assay/contract/fields.ts'
import { listOrganizations, listProjects } from '@assay/contract/organizations.ts'
import type { Target } from './attack.ts'

/** The slugs of the attackers' project, for endpoints that have them in their query or body. */
export async function findProjectSlugs(target: Target): Promise<ProjectSlugs> {
  const { api, organizationId, projectId, credentials } = target
  const as = { headers: credentials.viewer }
  const organizations = await call(api, listOrganizations, {}, as)
  const projects = await call(api, listProjects, { params: { orgId: organizationId } }, as)
  return {
    org: organizations.find(({ id }) => id === organizationId)?.slug ?? '',
    project: projects.find(({ id }) => id === projectId)?.slug ?? '',
  }
}
