"""A Pydantic AI agent with its own instrumentation; the format is set by the environment."""

import os

from conversation import (
    MODEL,
    MODEL_URL,
    QUESTION,
    SESSION,
    SYSTEM,
    tracer_provider,
    weather_in,
)
from pydantic_ai import Agent
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

provider = tracer_provider()
version = int(os.environ["PYDANTIC_AI_FORMAT"])
settings = InstrumentationSettings(
    tracer_provider=provider,
    version=version,
    # Agents before 2.0 repeated their children's tokens under the same names.
    use_aggregated_usage_attribute_names=version > 2,
)
model = OpenAIChatModel(MODEL, provider=OpenAIProvider(base_url=MODEL_URL, api_key="none"))
agent = Agent(
    model,
    name="weather",
    instructions=SYSTEM,
    capabilities=[Instrumentation(settings=settings)],
)


@agent.tool_plain
def get_weather(city: str) -> dict:
    """The weather in a city, now."""
    return weather_in(city)


agent.run_sync(QUESTION, conversation_id=SESSION)
provider.shutdown()
