import type { Organization, Project } from '@assay/contract/organizations.ts'
import { queryOptions } from '@tanstack/react-query'
import { fetchDirectory, type OrganizationProjects } from './first-requests.ts'

/** Every organization the person belongs to, with its projects. */
export const directoryQuery = queryOptions({
  queryKey: ['directory'],
  queryFn: ({ signal }) => fetchDirectory(signal),
  staleTime: 60_000,
})

export interface FoundProject {
  readonly organization: Organization
  readonly project: Project
}

export function findProject(
  directory: readonly OrganizationProjects[],
  projectId: string,
): FoundProject | undefined {
  for (const { organization, projects } of directory) {
    const project = projects.find(({ id }) => id === projectId)
    if (project !== undefined) return { organization, project }
  }
  return undefined
}

const lastUsedKey = 'assay-last-project'

/** Remembers the project for the next visit. */
export function rememberProject(projectId: string): void {
  try {
    localStorage.setItem(lastUsedKey, projectId)
  } catch {
    // Storage is full or disabled: the first project opens instead.
  }
}

/** The project used last, or else the first one. */
export function projectToOpen(directory: readonly OrganizationProjects[]): Project | undefined {
  const lastUsed = findProject(directory, readLastUsed())
  return lastUsed?.project ?? directory.flatMap(({ projects }) => projects)[0]
}

function readLastUsed(): string {
  try {
    return localStorage.getItem(lastUsedKey) ?? ''
  } catch {
    return ''
  }
}
