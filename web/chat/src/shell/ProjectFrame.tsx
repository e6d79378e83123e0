import { rememberProject } from '@assay/account/api/projects.ts'
import { ProjectNotFound } from '@assay/account/shell/ProjectNotFound.tsx'
import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ProjectContext, useProjectOfAddress } from './use-project.ts'

/** Wraps the pages of a project, if it exists and is accessible. */
export function ProjectFrame() {
  const current = useProjectOfAddress()
  const projectId = current?.project.id
  useEffect(() => {
    if (projectId !== undefined) rememberProject(projectId)
  }, [projectId])

  if (current === undefined) return <ProjectNotFound />
  return (
    // The key resets the pages when the project changes, so that no state leaks into another.
    <ProjectContext key={projectId} value={current}>
      <Outlet />
    </ProjectContext>
  )
}
