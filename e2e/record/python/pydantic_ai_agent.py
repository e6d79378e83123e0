"""A Pydantic AI agent with its own instrumentation; the format is set by the environment."""

import os

from conversation import QUESTION, SESSION, tracer_provider
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai_model import weather_agent

provider = tracer_provider()
version = int(os.environ["PYDANTIC_AI_FORMAT"])
settings = InstrumentationSettings(
    tracer_provider=provider,
    version=version,
    # Agents before 2.0 repeated their children's tokens under the same names.
    use_aggregated_usage_attribute_names=version > 2,
)
agent = weather_agent(capabilities=[Instrumentation(settings=settings)])
agent.run_sync(QUESTION, conversation_id=SESSION)
provider.shutdown()
