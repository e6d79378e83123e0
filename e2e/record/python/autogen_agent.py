"""An AutoGen agent with its own spans and those of OpenInference for AutoGen and OpenAI."""

import asyncio

from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient
from conversation import MODEL, MODEL_URL, QUESTION, SYSTEM, tracer_provider, weather_in
from openinference.instrumentation.autogen_agentchat import AutogenAgentChatInstrumentor
from openinference.instrumentation.openai import OpenAIInstrumentor

provider = tracer_provider()
AutogenAgentChatInstrumentor().instrument(tracer_provider=provider)
OpenAIInstrumentor().instrument(tracer_provider=provider)


async def get_weather(city: str) -> dict:
    """The weather in a city, now."""
    return weather_in(city)


async def main():
    client = OpenAIChatCompletionClient(model=MODEL, base_url=MODEL_URL, api_key="none")
    agent = AssistantAgent(
        "weather",
        model_client=client,
        tools=[get_weather],
        system_message=SYSTEM,
        reflect_on_tool_use=True,
    )
    await agent.run(task=QUESTION)


asyncio.run(main())
provider.shutdown()
