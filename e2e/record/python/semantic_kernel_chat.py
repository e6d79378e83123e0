"""A Semantic Kernel agent that calls a function, with its own tracing."""

import asyncio
import json
import os

os.environ["SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE"] = "true"

from conversation import MODEL, MODEL_URL, QUESTION, SYSTEM, tracer_provider, weather_in  # noqa: E402
from openai import AsyncOpenAI  # noqa: E402
from semantic_kernel.agents import ChatCompletionAgent  # noqa: E402
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion  # noqa: E402
from semantic_kernel.functions import kernel_function  # noqa: E402

provider = tracer_provider()


class Weather:
    @kernel_function(name="get_weather", description="The weather in a city, now.")
    def get_weather(self, city: str) -> str:
        return json.dumps(weather_in(city))


async def main():
    client = AsyncOpenAI(base_url=MODEL_URL, api_key="none", max_retries=0)
    agent = ChatCompletionAgent(
        service=OpenAIChatCompletion(ai_model_id=MODEL, async_client=client),
        name="weather",
        instructions=SYSTEM,
        plugins=[Weather()],
    )
    await agent.get_response(messages=QUESTION)


asyncio.run(main())
provider.shutdown()
