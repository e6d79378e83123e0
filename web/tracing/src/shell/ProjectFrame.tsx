import { Problem } from '@assay/ui/Problem.tsx'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { directoryQuery, rememberProject } from '../api/projects.ts'
import { isSample } from '../api/sample-project.ts'
import { LinkButton } from '../parts/LinkButton.tsx'
import { SampleNote } from './SampleNote.tsx'
import styles from './Shell.module.css'
import { useProject } from './use-project.ts'

/** Round every page of a project: makes sure there is one. */
export function ProjectFrame() {
  const current = useProject()
  const directory = useQuery(directoryQuery)
  const projectId = current?.project.id
  useEffect(() => {
    if (projectId !== undefined) rememberProject(projectId)
  }, [projectId])

  // A change of project begins its pages anew: nothing of one may show in another.
  if (current !== undefined && isSample(current.project)) {
    return (
      <div key={projectId} className={styles.noted}>
        <SampleNote current={current} />
        <div className={styles.below}>
          <Outlet />
        </div>
      </div>
    )
  }
  if (current !== undefined) return <Outlet key={projectId} />
  return (
    <Problem
      title="There is no such project"
      onRetry={() => void directory.refetch()}
      actions={
        <LinkButton to="/" variant="subtle">
          To your projects
        </LinkButton>
      }
    >
      It may have been removed, or it belongs to an organization you are no member of.
    </Problem>
  )
}
