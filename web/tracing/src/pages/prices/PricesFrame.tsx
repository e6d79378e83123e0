import { Outlet } from '@tanstack/react-router'
import { TabFrame } from '../../page/TabFrame.tsx'
import { useProject } from '../../shell/use-project.ts'

/** Around the pages about the costs of model calls. */
export function PricesFrame() {
  const { project } = useProject()
  return (
    <TabFrame label="Prices" section="/p/$projectId/prices" params={{ projectId: project.id }}>
      <Outlet />
    </TabFrame>
  )
}
