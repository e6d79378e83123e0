import { modelConfigsQuery } from '@assay/account/api/model-configs.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useProject } from '../../shell/use-project.ts'

/** The model of the organization that writes: the first one until another is chosen, null without any. */
export function useModelChoice() {
  const { organization } = useProject()
  const { data: configs } = useQuery(modelConfigsQuery(organization.id))
  const [chosen, setChosen] = useState<string>()
  const isThere = configs?.some(({ id }) => id === chosen) === true
  const modelId = (isThere ? chosen : configs?.[0]?.id) ?? null
  return { configs, modelId, setChosen }
}
export type ModelChoice = ReturnType<typeof useModelChoice>
