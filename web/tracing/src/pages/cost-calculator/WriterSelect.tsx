import { modelConfigsQuery } from '@assay/account/api/model-configs.ts'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../shell/use-project.ts'
import { writerOfRun } from './writer-of-run.ts'

interface Props {
  readonly field: object
  /** Offers `writerOfRun`. */
  readonly ofRun?: boolean
}

/** The model that writes scenarios. */
export function WriterSelect({ field, ofRun = false }: Props) {
  const { organization } = useProject()
  const { data: configs = [] } = useQuery(modelConfigsQuery(organization.id))
  return (
    <NativeSelect
      label="Written by"
      description="The platform model if the operator has configured one, else templates, which cost nothing."
      data={[
        ...(ofRun ? [{ value: writerOfRun, label: 'The model that wrote the run' }] : []),
        { value: '', label: 'Platform model or templates' },
        ...configs.map(({ id, label }) => ({ value: id, label })),
      ]}
      {...field}
    />
  )
}
