"""An agent of the Claude Agent SDK, which exports from its own process."""

import asyncio
import json
import os

from claude_agent_sdk import ClaudeAgentOptions, create_sdk_mcp_server, query, tool
from conversation import CLAUDE, QUESTION, ROOT_URL, SYSTEM, weather_in


@tool("get_weather", "The weather in a city, now.", {"city": str})
async def get_weather(arguments):
    return {"content": [{"type": "text", "text": json.dumps(weather_in(**arguments))}]}


async def main():
    options = ClaudeAgentOptions(
        model=CLAUDE,
        system_prompt=SYSTEM,
        tools=[],
        mcp_servers={"weather": create_sdk_mcp_server("weather", tools=[get_weather])},
        allowed_tools=["mcp__weather__get_weather"],
        setting_sources=[],
        env={
            **os.environ,
            "ANTHROPIC_BASE_URL": ROOT_URL,
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_ENABLE_TELEMETRY": "1",
            "CLAUDE_CODE_ENHANCED_TELEMETRY_BETA": "1",
            "OTEL_TRACES_EXPORTER": "otlp",
            "OTEL_LOGS_EXPORTER": "otlp",
            "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
            "OTEL_LOG_USER_PROMPTS": "1",
            "OTEL_LOG_TOOL_DETAILS": "1",
        },
    )
    async for _message in query(prompt=QUESTION, options=options):
        pass


asyncio.run(main())
