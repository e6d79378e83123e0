import type { Synthesis } from '@assay/contract/blueprint.ts'
import { download } from '@assay/ui/download.ts'
import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { toFileName } from './file-name.ts'

interface Props {
  readonly synthesis: Synthesis
}

export function DownloadMenu({ synthesis: { blueprint, artifact_markdown } }: Props) {
  const { domain } = blueprint
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={14} />}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          onClick={() =>
            download(toFileName(domain, 'json'), 'application/json', [
              `${JSON.stringify(blueprint, null, 2)}\n`,
            ])
          }
        >
          JSON
        </Menu.Item>
        <Menu.Item
          onClick={() => download(toFileName(domain, 'md'), 'text/markdown', [artifact_markdown])}
        >
          Markdown
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
