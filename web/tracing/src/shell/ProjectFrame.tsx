import { Problem } from '@assay/ui/Problem.tsx'
import { useEffect } from 'react'
import { rememberProject } from '../api/projects.ts'
import { isSample } from '../api/sample-project.ts'
import { LinkButton } from '../parts/LinkButton.tsx'
import { SampleNote } from './SampleNote.tsx'
import { SectionPage } from './SectionPage.tsx'
import styles from './Shell.module.css'
import { ProjectContext, useProjectOfAddress } from './use-project.ts'

/** Wraps the pages of a project, if it exists and is accessible. */
export function ProjectFrame() {
  const current = useProjectOfAddress()
  const projectId = current?.project.id
  useEffect(() => {
    if (projectId !== undefined) rememberProject(projectId)
  }, [projectId])

  if (current === undefined) {
    return (
      <Problem
        title="Project not found"
        actions={
          <LinkButton to="/" variant="default">
            Home
          </LinkButton>
        }
      >
        It may have been deleted, or it belongs to an organization you don't belong to.
      </Problem>
    )
  }
  return (
    // The key resets the pages when the project changes, so that no state leaks into another.
    <ProjectContext key={projectId} value={current}>
      {isSample(current.project) ? (
        <div className={styles.withNotice}>
          <SampleNote current={current} />
          <div className={styles.content}>
            <SectionPage access={current} />
          </div>
        </div>
      ) : (
        <SectionPage access={current} />
      )}
    </ProjectContext>
  )
}
