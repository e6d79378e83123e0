import { rememberProject } from '@assay/account/api/projects.ts'
import { ProjectNotFound } from '@assay/account/shell/ProjectNotFound.tsx'
import { useEffect } from 'react'
import { isSample } from '../api/sample-project.ts'
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

  if (current === undefined) return <ProjectNotFound />
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
