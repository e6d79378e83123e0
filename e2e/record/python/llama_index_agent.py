"""A LlamaIndex agent, instrumented by OpenInference or OpenLLMetry."""

import asyncio
import os

from conversation import MODEL, MODEL_URL, QUESTION, SYSTEM, tracer_provider, weather_in

provider = tracer_provider()
if os.environ["INSTRUMENTATION"] == "openinference":
    from openinference.instrumentation.llama_index import LlamaIndexInstrumentor
else:
    from opentelemetry.instrumentation.llamaindex import LlamaIndexInstrumentor
    from opentelemetry.instrumentation.openai import OpenAIInstrumentor

    OpenAIInstrumentor().instrument(tracer_provider=provider)
LlamaIndexInstrumentor().instrument(tracer_provider=provider)

from llama_index.core.agent.workflow import FunctionAgent  # noqa: E402
from llama_index.llms.openai import OpenAI  # noqa: E402


def get_weather(city: str) -> dict:
    """The weather in a city, now."""
    return weather_in(city)


async def main():
    llm = OpenAI(model=MODEL, api_base=MODEL_URL, api_key="none", max_retries=0)
    agent = FunctionAgent(
        name="weather",
        description="The weather, now.",
        tools=[get_weather],
        llm=llm,
        system_prompt=SYSTEM,
        streaming=False,
    )
    await agent.run(QUESTION)


asyncio.run(main())
provider.shutdown()
